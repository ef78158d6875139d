"""What a person at an editor was promised, point by point, and the test of each in both real editors.

A test of VS Code is named `FILE::TEST` (below tests/editors/vscode), one of Neovim `SPEC: PROMISE` (below
tests/editors/nvim/specs) or `FILE::TEST`. What one editor alone has says so: `only` tells why.
`test_points.py` reports each point without a test, and each test that is not there.
"""

from __future__ import annotations

import attrs

ONLY_VSCODE = "a part of VS Code"
ONLY_NEOVIM = "a way of Neovim"


@attrs.frozen
class Point:
    """A promise; without a test in one of the editors `only` says why."""

    promise: str
    vscode: str = ""
    neovim: str = ""
    only: str = ""


POINTS = (
    # The result on the line
    Point(
        "every run leaves its result on its line until the line changes",
        "test_host.py::test_a_run_leaves_its_result_on_its_line",
        "insights: a run leaves its result on its line, and no lens",
    ),
    Point(
        "the run of a script leaves its result on its first line",
        "test_results.py::test_the_run_of_a_script_leaves_its_result_on_its_first_line",
        "results: the run of a script leaves its result on its first line until any of it changes",
    ),
    Point(
        "results are aligned and have the colours of the theme",
        "test_screen.py::test_results_stand_below_each_other",
        "insights: results stand below each other, behind the longest line",
    ),
    Point(
        "results, traces, the list and outputs are kept over a reload",
        "test_results.py::test_results_traces_the_list_and_outputs_are_there_after_a_reload",
        "test_reload.py::test_another_neovim_has_the_results_traces_the_list_and_outputs",
    ),
    Point(
        "tasks whose server ended say so",
        "test_window_end.py::test_what_the_end_of_a_window_stopped_is_told_and_a_question_offered",
        "lifetime: a server that dies is told of, with what can be done, and can be started again",
    ),
    Point(
        "what ran when its server was killed is in the list",
        "test_results.py::test_what_ran_when_its_server_was_killed_is_in_the_list",
        "lifetime: what ran when its server was killed is in the list as killed",
    ),
    Point(
        "the cursor's line has a code action, and no lens moves the text",
        "test_results.py::test_the_code_action_of_the_cursors_line_runs_it",
        "insights: the code action that runs a line shows its output",
    ),
    Point(
        "a key runs the cursor's line",
        "test_screen.py::test_keys_run_the_line_at_the_cursor",
        "operator: a line is run with all its commands, and a count runs so many lines",
    ),
    Point(
        "a trace says where errexit ended the script, and calls that no normal exit",
        "test_results.py::test_a_trace_says_where_errexit_ended_the_script",
        "results: a trace says where errexit ended the script",
    ),
    Point(
        "the icon of the list is the verdict",
        "test_results.py::test_the_icon_of_a_task_is_its_verdict",
        only=ONLY_VSCODE,
    ),
    Point(
        "what the end of a task meant is told whoever ran it",
        "test_results.py::test_the_icon_of_a_task_that_another_server_ran_is_its_verdict_too",
        "tasks: the list says what the end of a task meant, whoever ran it",
    ),
    # Places
    Point(
        "what an output names is a problem of its file until the line changes",
        "test_places.py::test_what_an_output_names_is_a_problem_until_its_line_changes",
        "quickfix: what an output names is a diagnostic of its file, and a list",
    ),
    Point(
        "the same command takes away what it named before",
        "test_places.py::test_the_same_line_once_more_takes_away_what_it_named",
        "quickfix: the same command takes away what it named before",
    ),
    Point(
        "the end of a run is told as what it meant",
        "test_results.py::test_the_icon_of_a_task_is_its_verdict",
        "running: the end is told with its status, and what it meant is shown",
    ),
    Point(
        "an output links to the places it names",
        "test_places.py::test_the_output_links_to_the_places_it_names",
        "quickfix: what a search found is in the list and no diagnostic",
    ),
    Point(
        "a terminal links to the places it names",
        "test_places.py::test_the_terminal_links_to_the_places_its_output_names",
        only=ONLY_VSCODE,
    ),
    Point(
        "a test that fails now and then is known by its name",
        "test_places.py::test_a_test_that_fails_now_and_then_is_named_on_its_line",
        "quickfix: a test that fails now and then is named on its line",
    ),
    # Safe and plain runs
    Point(
        "a run is in the folder that run.cwd chooses, and says which",
        "test_results.py::test_a_line_runs_in_the_folder_that_is_set_and_says_so",
        "results: a line runs in the folder that is set, and says so",
    ),
    Point(
        "a line whose names only lines above it give is one question",
        "test_host.py::test_a_line_without_its_names_is_asked_about_once",
        "running: a line without its names runs after what gives them, if that is chosen",
    ),
    Point(
        "the arguments that a script reads are asked for",
        "test_questions.py::test_the_arguments_that_a_script_reads_are_asked_for",
        "questions: the arguments that a script reads are asked for, and known the next time",
    ),
    Point(
        "a line that reads arguments, or needs one that does, asks for them",
        "test_questions.py::test_a_line_that_needs_one_that_reads_arguments_asks_for_them",
        "questions: a line that reads arguments, or needs one that does, asks for them too",
    ),
    Point(
        "why a server ended is told",
        "test_no_server.py::test_the_failure_is_told_with_what_can_be_done",
        "lifetime: a server that ends at its start says why",
    ),
    Point(
        "arguments mean what they mean at a prompt",
        "test_questions.py::test_arguments_mean_what_they_mean_at_a_prompt",
        "questions: arguments mean what they mean at a prompt",
    ),
    Point(
        "the line of the cursor is run with all that its list joins",
        "test_results.py::test_a_line_runs_with_all_that_its_list_joins",
        "operator: a list is run with all it joins, however many lines that takes",
    ),
    Point(
        "a line of a test runs that test, by its runner",
        "test_results.py::test_a_line_of_a_test_runs_that_test_by_its_runner",
        "running: a line of a test runs that test, by its runner",
    ),
    Point(
        "a script task obeys cwd, env, shell, timeout and args",
        "test_host.py::test_a_script_task_obeys_its_folder_environment_and_shell",
        "running: a script is run with its arguments, saved or not",
    ),
    Point(
        "a prompt takes the focus",
        "test_screen.py::test_a_script_asks_and_is_answered_in_its_terminal",
        "fullscreen: a command that asks has the focus until it has ended",
    ),
    Point(
        "a script task ends at its time limit",
        "test_host.py::test_a_script_task_ends_at_its_time_limit",
        only=ONLY_VSCODE,
    ),
    Point(
        "a prompt takes no keys from somebody who types elsewhere",
        "test_screen.py::test_keys_meant_for_the_script_stay_there_when_a_task_asks",
        "test_screens.py::test_keys_meant_for_the_script_stay_there_when_a_task_asks",
    ),
    Point(
        "a script is known by its name however deep it lies",
        "test_results.py::test_a_task_that_waits_says_nothing_in_the_words_of_agents",
        "tasks: a script that lies deep is known by its name wherever its run is shown",
    ),
    Point(
        "a trace that is refused says why",
        "test_results.py::test_why_a_script_was_not_traced_is_said",
        "asking: why a script that runs long was not traced is said with its end, and nothing before",
    ),
    Point(
        "a run that is asked for while the server starts says so, and waits",
        "test_no_server.py::test_a_run_that_is_asked_for_while_the_server_starts_waits_for_it",
        "test_screens.py::test_a_key_that_is_pressed_before_the_server_runs_is_heard",
    ),
    Point(
        "a command over several lines is known by its first",
        "../vscode_unit/test_extension.py::test_the_unit_tests_hold",
        "tasks: commands are shown by their names, as the server shows them",
    ),
    Point(
        "where zsh is missing that is asked before bash stands in",
        "test_results.py::test_where_zsh_is_missing_that_is_asked_before_bash_stands_in",
        "questions: where the shell of a script is missing, that is asked before another one runs it",
    ),
    Point(
        "words for people are not those for agents",
        "test_results.py::test_a_task_that_waits_says_nothing_in_the_words_of_agents",
        "asking: why a script that runs long was not traced is said with its end, and nothing before",
    ),
    Point(
        "what there is to do is said as it is done in the editor",
        "test_results.py::test_what_there_is_to_do_is_said_as_it_is_done_in_an_editor",
        "asking: what there is to do is said as it is done in this editor",
    ),
    # Neovim
    Point(
        "an operator with motions, dot-repeat and counts",
        neovim="operator: an operator runs what a motion covers in whole lines, and dot repeats it",
        only=ONLY_NEOVIM,
    ),
    Point(
        "a count of lines",
        neovim="operator: a line is run with all its commands, and a count runs so many lines",
        only=ONLY_NEOVIM,
    ),
    Point(
        "what was run is run again",
        "test_host.py::test_a_task_of_the_list_is_run_again_copied_and_found",
        "operator: what was run is run again, also where its line has changed since",
    ),
    Point(
        "the failed lines of a trace are a quickfix list",
        neovim="quickfix: the lines of a trace that failed are in the list",
        only=ONLY_NEOVIM,
    ),
    Point(
        "full-screen programs have a real terminal",
        "test_screen.py::test_a_script_has_a_terminal_as_large_as_what_is_seen",
        "fullscreen: a program that draws on the whole screen has a terminal, room and the keyboard",
    ),
    Point(
        "a very long output can be read to its last line",
        "test_screen.py::test_full_output_opens_beside_the_script",
        "operator: all lines of a very long output can be read as text",
    ),
    Point(
        "the help has tags however it was installed",
        neovim="test_sources.py::test_the_help_is_found_however_the_plugin_was_installed",
        only=ONLY_NEOVIM,
    ),
    Point(
        "a missing server is one quiet message",
        "test_no_server.py::test_the_failure_is_told_with_what_can_be_done",
        "lifetime: without a server the person is told what to do, once, and editing goes on",
    ),
    Point(
        "setup takes the settings, however the plugin was installed",
        neovim="test_release.py::test_the_branch_is_the_plugin_and_neovim_installs_it",
        only=ONLY_NEOVIM,
    ),
    Point(
        "a window without a script says so, whatever is asked of it",
        neovim="running: a window without a script says so, whatever is asked of it",
        only=ONLY_NEOVIM,
    ),
    Point(
        "what runs has nothing of the editor's own variables",
        "../vscode_unit/test_extension.py::test_the_unit_tests_hold",
        "running: what runs has nothing of the variables that Neovim sets for itself",
    ),
    # VS Code
    Point(
        "the list is cleared of what has ended",
        "test_host.py::test_the_list_is_cleared_of_what_has_ended",
        only=ONLY_VSCODE,
    ),
    Point(
        "one panel of answers, rendered and reused",
        "test_answers.py::test_an_answer_is_rendered_beside_the_script_and_the_next_takes_its_place",
        "answers: a question is answered in a float, which can be read and closed",
    ),
    Point(
        "Escape closes an answer",
        neovim="answers: Escape closes an answer",
        only=ONLY_NEOVIM,
    ),
    Point(
        "no file is opened in the place of an answer",
        neovim="answers: no file is opened in the place of an answer (0.11)",
        only=ONLY_NEOVIM,
    ),
    Point(
        "a proposed command runs when it is chosen",
        "test_answers.py::test_a_proposed_command_is_run_when_its_button_is_pressed",
        "answers: a proposed command runs when it is chosen, and not before",
    ),
    Point(
        "Ask and Explain with the bundled server",
        "test_first_minute.py::test_the_bundled_server_answers_and_explains",
        only=ONLY_VSCODE,
    ),
    Point(
        "suggestions pop up in arguments",
        "test_language.py::test_suggestions_pop_up_in_arguments_while_one_types",
        "test_screens.py::test_completion_of_the_editor_offers_programs_and_variables",
    ),
    Point(
        "tests of bats, zunit and shellspec in the Test Explorer",
        "test_test_explorer.py::test_tests_are_listed_run_and_told_one_by_one",
        only=ONLY_VSCODE,
    ),
    Point(
        "a runner of tests runs in the project of the file",
        "test_test_explorer.py::test_a_runner_runs_in_the_project_of_the_file",
        only=ONLY_VSCODE,
    ),
    Point(
        "the walkthrough has pictures for both themes",
        "test_screen.py::test_the_walkthrough_opens_with_its_pictures",
        only=ONLY_VSCODE,
    ),
    Point(
        "pages of rules are rendered",
        "test_answers.py::test_the_code_of_a_finding_leads_to_the_page_of_its_rule",
        only=ONLY_VSCODE,
    ),
    Point(
        "the extension speaks the editor's language",
        "test_display_language.py::test_in_german_the_extension_speaks_german",
        only=ONLY_VSCODE,
    ),
    Point(
        "what agents run over MCP is in the list",
        "test_neighbours.py::test_what_an_agent_runs_over_mcp_is_in_the_list_of_this_window",
        only=ONLY_VSCODE,
    ),
    Point(
        "MCP that cannot start says why",
        "test_neighbours.py::test_why_mcp_cannot_start_is_said",
        only=ONLY_VSCODE,
    ),
    # Language
    Point(
        "arguments are completed: files, branches, targets, scripts",
        "test_language.py::test_arguments_are_completed_from_the_projects_files",
        "language: arguments are completed from the files of the project",
    ),
    Point(
        "files sourced by the script's folder are links, and their names are found",
        "test_language.py::test_a_sourced_file_is_linked_and_its_names_are_found",
        "language: a file that is sourced by the folder of the script is a link, and its names are found",
    ),
    Point(
        "an autoloaded function leads to its file",
        "test_language.py::test_an_autoloaded_function_leads_to_its_file",
        "language: a function that is autoloaded leads to its file",
    ),
    Point(
        "symbols are those of the workspace",
        "test_language.py::test_a_sourced_file_is_linked_and_its_names_are_found",
        "language: symbols are those of the whole workspace",
    ),
    Point(
        "zsh explains itself in hovers",
        "test_language.py::test_zsh_explains_itself_where_one_points",
        "language: zsh explains itself in a hover",
    ),
    Point(
        "calls are told both ways",
        "test_host.py::test_the_calls_of_a_function_are_told_both_ways",
        "insights: who calls a function, and what it calls, are quickfix lists",
    ),
    Point(
        "of changed tokens only the difference is asked for",
        "test_language.py::test_tokens_of_a_changed_script_come_as_what_has_changed_of_them",
        "language: tokens of a changed script come as what has changed of them",
    ),
    Point(
        "formatting by shfmt",
        "test_language.py::test_a_script_is_formatted_by_shfmt",
        "language: a script is formatted by shfmt",
    ),
    Point(
        "why a script is not formatted is said",
        "test_language.py::test_why_a_script_is_not_formatted_is_said",
        "language: why a script is not formatted is said",
    ),
    Point(
        "a syntax error stands on its line, in the words of the shell",
        "test_language.py::test_a_syntax_error_stands_on_its_line_in_the_words_of_the_shell",
        "attaching: a syntax error stands on its line, in the words of the shell",
    ),
    Point(
        "functions are in the outline",
        "test_host.py::test_functions_are_in_the_outline",
        "language: functions are symbols of the script, and what they hold can be folded",
    ),
    Point(
        "what a function holds can be folded",
        "test_host.py::test_what_a_function_holds_can_be_folded",
        "language: functions are symbols of the script, and what they hold can be folded",
    ),
    # What is said of a line
    Point(
        "what is wrong with a line is said on it, by its rule",
        "test_host.py::test_a_finding_has_its_place_its_rule_and_its_page",
        "insights: what is wrong with a line is written out beside it",
    ),
    Point(
        "a fix mends the text",
        "test_host.py::test_a_quick_fix_mends_the_text",
        "insights: a fix of ours can be applied",
    ),
    Point(
        "what is said of a line can be ignored there",
        "test_host.py::test_what_is_said_of_a_line_can_be_ignored_there",
        "insights: what is said of a line can be ignored there",
    ),
    Point(
        "a hint tells how often a line succeeds",
        "test_host.py::test_a_hint_tells_how_often_a_line_succeeds",
        "insights: a hint tells how often a line succeeds",
    ),
    Point(
        "what history warns of stands on its line where that is wanted",
        "test_host.py::test_what_history_warns_of_stands_on_its_line_where_that_is_wanted",
        "insights: what history warns of stands on its line where that is wanted",
    ),
    Point(
        "a hover tells what a command does",
        "test_host.py::test_hover_explains_a_command",
        "answers: a hover is an answer",
    ),
    Point(
        "the command under the cursor is explained",
        "test_host.py::test_explain_says_what_the_command_at_the_cursor_does",
        "answers: the command under the cursor is explained",
    ),
    Point(
        "a hover tells what follows if a command fails",
        "test_host.py::test_a_hover_says_what_follows_if_the_command_fails",
        "failures: a hover on a command says what follows if it fails",
    ),
    Point(
        "the lens lists what fails unnoticed",
        "test_host.py::test_the_lens_opens_the_list_of_what_fails_unnoticed",
        "failures: the lens on the first line opens the list",
    ),
    # Shell inside other files
    Point(
        "recipes, and the commands of a Dockerfile, are checked where they stand",
        "test_language.py::test_recipes_and_the_commands_of_a_dockerfile_are_checked_where_they_stand",
        "attaching: recipes, and the commands of a Dockerfile, are checked where they stand",
    ),
    Point(
        "shell is hovered and completed in every kind of file that has it inside",
        "test_language.py::test_shell_is_hovered_and_completed_in_every_kind_of_file_that_has_it_inside",
        "language: shell is hovered and completed in every kind of file that has it inside",
    ),
    Point(
        "a block of Markdown has a lens",
        "test_language.py::test_a_block_of_markdown_runs_with_what_the_blocks_above_left",
        "language: the key of lenses runs the block of Markdown that the cursor is in",
    ),
    Point(
        "a line of a rule or a recipe runs it, by make or just",
        "test_language.py::test_a_line_of_a_rule_or_a_recipe_runs_it_by_make_or_just",
        "language: a line of a rule or a recipe runs it, by make or just",
    ),
    Point(
        "a block of Markdown runs in the document's session",
        "test_language.py::test_a_block_of_markdown_runs_with_what_the_blocks_above_left",
        "language: a block of Markdown runs with what the blocks above left",
    ),
    Point(
        "a name is changed everywhere in its script",
        "test_language.py::test_a_name_is_changed_everywhere_in_its_script",
        "places: a name of the script is changed everywhere in it",
    ),
    Point(
        "a line of a session in Markdown runs without its prompt",
        "test_language.py::test_a_line_of_a_session_in_markdown_runs_without_its_prompt",
        "language: a line of a session in Markdown runs without its prompt",
    ),
    Point(
        "scripts of GitLab are checked, hovered and completed",
        "test_language.py::test_scripts_of_gitlab_are_checked_hovered_and_completed",
        "language: scripts of GitLab are checked, hovered and completed",
    ),
    Point(
        "shell in other files is checked where it stands",
        "test_language.py::test_shell_in_a_workflow_is_checked_where_it_stands",
        "attaching: files with shell inside get the server, whose insights stand where the shell is",
    ),
)
