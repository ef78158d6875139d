"""What issue 19 promised about harm, each half-sentence with the tests that hold it.

A test is named `FILE::TEST` below tests/, a promise of one of Neovim's specs with `_` for its blanks.
`test_no_harm.py` reports each promise without a test, and each test that is not there.
"""

from __future__ import annotations

import attrs


@attrs.frozen
class Promise:
    """A half-sentence of a numbered point, and the tests that fail if it is broken."""

    point: str
    promise: str
    tests: tuple[str, ...] = attrs.field(converter=lambda it: tuple(it.split()))


ENDING = "tasks/test_ending.py::"
KILL = "tasks/test_kill.py::"
ORPHANS = "tasks/test_orphans.py::"
LIMITS = "server/test_limits.py::"
SCRIPT = "server/test_run_script.py::"
CONCLUDING = "sidecar/test_concluding.py::"
FULL = "server/test_full_disk.py::"
BOUNDED = "server/test_bounded.py::"
AT_THE_FILE = "alan/test_others_at_the_file.py::"
OTHERS = "test_other_users.py::"
TRUST = "server/test_trust.py::"
PROGRAMS = "machine/test_programs.py::"
NOT_KEPT = "server/test_not_kept.py::"
REDACT = "shell/test_redact.py::"
VENDORS = "shell/test_vendor_tokens.py::"
BEHIND = ENDING + "test_nothing_that_stands_behind_a_command_is_begun_when_that_is_ended"
LEAVING = "editors/nvim/test_leaving.py::"

PROMISES = (
    Promise("1", "nothing behind a killed, timed-out or closed command is begun", BEHIND),
    Promise(
        "1",
        "nor behind one whose server died, while it starts a shell too",
        f"{BEHIND} {ORPHANS}test_a_process_that_dies_while_it_starts_a_shell_leaves_nothing",
    ),
    Promise(
        "1",
        "a script's own TERM trap cleans up within the grace",
        f"{KILL}test_term_is_heard_before_kill {KILL}test_an_exit_trap_of_bash_cleans_up"
        f" {KILL}test_a_trap_s_own_commands_are_left_alone_in_the_grace"
        f" {KILL}test_a_time_limit_gives_the_grace_too",
    ),
    Promise("1", "a trap that ends with exit starts nothing more", BEHIND),
    Promise(
        "2",
        "time limits are an agent's",
        f"{LIMITS}test_a_persons_run_has_no_limit_where_none_was_set"
        f" {LIMITS}test_a_script_has_no_limit_but_what_was_asked_for",
    ),
    Promise(
        "2",
        "one order of precedence of limits",
        f"{LIMITS}test_a_persons_own_limit_is_that_of_the_request_then_that_of_the_setting"
        f" {LIMITS}test_an_agents_limit_is_its_default_then_its_maximum"
        f" {LIMITS}test_the_setting_of_the_maximum_goes_before_the_variable",
    ),
    Promise(
        "2",
        "no terminal-less run waits in an editor or pager",
        "server/test_without_terminal.py::test_what_would_open_an_editor_fails_at_once_and_says_so"
        " server/test_without_terminal.py::test_what_would_open_a_pager_prints"
        " server/test_without_terminal.py::test_a_script_opens_no_editor_either",
    ),
    Promise(
        "2",
        "only local files run, and what is refused says where it lies",
        "server/test_other_machines.py::test_a_buffer_of_another_machine_is_refused_with_where_it_lies"
        " server/test_other_machines.py::test_whatever_is_no_file_of_this_machine_is_refused",
    ),
    Promise(
        "2",
        "runs that the server takes along are KILLED",
        "server/test_tasks_at_the_end.py::test_what_runs_when_the_server_goes_is_recorded_as_killed",
    ),
    Promise(
        "2",
        "a shell that dies of its own signal reports it, in bash as in zsh",
        f"{ENDING}test_a_shell_that_dies_of_a_signal_of_its_own_reports_that",
    ),
    Promise(
        "3",
        "Run Script and Trace have a terminal and standard input in VS Code",
        "editors/vscode/test_screen.py::test_a_script_asks_and_is_answered_in_its_terminal"
        " editors/vscode/test_screen.py::test_a_script_has_a_terminal_as_large_as_what_is_seen",
    ),
    Promise(
        "3",
        "the same in Neovim and at the command line",
        "editors/nvim/specs/asking.lua::a_bash_script_that_is_traced_asks_and_is_answered"
        " editors/nvim/specs/asking.lua::a_zsh_script_that_is_run_asks_and_is_answered"
        " cli/test_trace_terminal.py::test_a_script_that_asks_is_answered_by_the_person"
        " cli/test_trace_terminal.py::test_a_pipe_is_the_scripts_standard_input",
    ),
    Promise(
        "3",
        "pty, cols, rows, interactive and stdin in zsh/runScript as in zsh/run",
        f"{SCRIPT}test_a_script_on_a_terminal_asks_and_is_answered"
        f" {SCRIPT}test_a_terminal_has_its_size_and_all_three_streams"
        f" {SCRIPT}test_standard_input_is_the_scripts"
        f" {SCRIPT}test_what_a_run_refuses_a_script_refuses_in_the_same_words"
        f" {SCRIPT}test_a_size_without_a_terminal_and_words_of_its_own_are_taken",
    ),
    Promise(
        "4",
        "Neovim with tasks running is not quit unasked",
        f"{LEAVING}test_it_stays_while_a_task_runs_and_names_it"
        f" {LEAVING}test_it_leaves_where_that_is_forced_and_ends_the_task",
    ),
    Promise(
        "4",
        "VS Code's own question is offered, and what a window's end stopped is told",
        "editors/vscode/test_window_end.py::"
        "test_what_the_end_of_a_window_stopped_is_told_and_a_question_offered",
    ),
    Promise(
        "5",
        "whatever raises in a concluding, recording or telling step, the run ends, is recorded and says so",
        f"{CONCLUDING}test_a_step_that_raises_is_said_and_the_run_ends_as_it_did"
        f" {CONCLUDING}test_a_run_that_cannot_be_remembered_says_so"
        f" {CONCLUDING}test_progress_that_cannot_be_told_goes_on_when_it_can"
        f" {CONCLUDING}test_a_mistake_while_a_run_is_written_down_costs_no_row"
        f" {CONCLUDING}test_a_mistake_behind_a_row_that_is_written_writes_no_second_one"
        f" {CONCLUDING}test_a_kill_is_answered_whatever_becomes_of_what_is_told_of_it"
        f" {CONCLUDING}test_a_time_limit_ends_its_run_though_a_step_of_that_fails_once",
    ),
    Promise(
        "5",
        "a traced script ends and is recorded whatever becomes of its trace",
        f"{CONCLUDING}test_a_trace_that_cannot_be_read_ends_with_its_script"
        f" {CONCLUDING}test_a_script_that_ends_within_a_list_is_told",
    ),
    Promise(
        "5",
        "a server always ends when its pipe closes",
        "server/test_hanging.py::test_a_server_whose_step_hangs_ends_with_its_pipe"
        f" {CONCLUDING}test_closing_comes_back_whatever_becomes_of_a_part",
    ),
    Promise(
        "6",
        "with no processes or threads left kill and timeout still work",
        f"{KILL}test_with_no_processes_left_kill_still_works {KILL}test_a_fork_bomb_is_killed"
        f" {KILL}test_with_no_processes_left_a_time_limit_still_ends_its_run"
        f" {KILL}test_a_fork_bomb_that_leaves_no_processes_is_ended_by_its_time_limit"
        f" {KILL}test_with_no_descriptors_left_kill_and_timeout_still_work"
        " tasks/test_torrents.py::test_where_no_thread_can_be_had_the_loop_takes_it_all",
    ),
    Promise(
        "6",
        "twenty chains that fork and exit are killed, and an answer comes in any case",
        f"{KILL}test_twenty_chains_at_once_are_ended_and_answered"
        f" {ORPHANS}test_twenty_chains_are_ended_without_a_cgroup",
    ),
    Promise(
        "7",
        "the answer says what a full disk took of a failed test, and why; health says it",
        f"{FULL}test_what_is_lost_of_a_failed_test_is_said_with_the_reason"
        f" {FULL}test_a_run_that_goes_on_says_what_it_has_lost",
    ),
    Promise(
        "7",
        "what fits in memory is shown",
        f"{FULL}test_a_failed_test_that_fits_in_memory_is_whole"
        f" {FULL}test_when_there_is_room_again_all_is_well",
    ),
    Promise(
        "7",
        "full runtime and temporary folders print nothing into the command's output",
        f"{FULL}test_shells_say_nothing_of_a_full_runtime_folder"
        f" {FULL}test_scripts_run_in_a_full_runtime_folder"
        f" {FULL}test_a_trace_that_does_not_fit_says_so_and_prints_nothing",
    ),
    Promise(
        "8",
        "without a cgroup a stopped server whose outer process is killed leaves nothing",
        f"{ORPHANS}test_without_a_cgroup_nothing_is_left_either"
        f" {ORPHANS}test_a_half_that_is_stopped_does_not_keep_the_tasks_of_the_other",
    ),
    Promise(
        "8",
        "a reaper that was killed is replaced",
        f"{ORPHANS}test_a_reaper_that_was_killed_is_replaced",
    ),
    Promise(
        "8",
        "process numbers that were reused are never signalled",
        f"{KILL}test_a_number_that_was_given_away_again_is_not_signalled"
        f" {ORPHANS}test_a_stranger_with_the_number_of_a_shell_that_ended_is_spared",
    ),
    Promise(
        "8",
        "the outer process notices that the editor has gone even if the server is stuck",
        f"{ORPHANS}test_the_outer_process_notices_that_the_editor_has_gone"
        f" {ORPHANS}test_a_server_that_is_stuck_does_not_outlive_its_editor_s_process",
    ),
    Promise(
        "9",
        "zsh/runScript opens no FIFO, device or huge file",
        f"{BOUNDED}test_a_script_whose_file_is_no_file_runs_from_its_text",
    ),
    Promise(
        "9",
        "manual pages are read up to a bound, roff bombs too",
        f"{BOUNDED}test_a_page_that_is_a_fifo_holds_up_nobody"
        f" {BOUNDED}test_a_small_page_that_unpacks_to_gigabytes_is_read_up_to_the_bound"
        " machine/test_manpages.py::test_a_man_that_does_not_end_is_ended_with_all_it_started",
    ),
    Promise(
        "9",
        "zsh-ls check reads FIFOs, devices and huge files within a bound",
        "cli/test_bounded.py::test_huge_files_and_devices_are_reported_and_not_read"
        " cli/test_bounded.py::test_a_fifo_without_a_writer_is_reported"
        " cli/test_bounded.py::test_fifos_and_devices_below_a_folder_are_skipped",
    ),
    Promise(
        "9",
        "so are the files that terminals write",
        f"{BOUNDED}test_what_shells_left_is_learnt_whatever_lies_beside_it",
    ),
    Promise(
        "9",
        "texts with 200,000 functions hold nobody up",
        f"{BOUNDED}test_whatever_is_asked_of_200_000_functions_others_are_answered_before"
        " sidecar/test_on_the_loop.py::test_nothing_on_the_loop_grows_with_the_script"
        " shell/test_sorting_in_turns.py::test_keys_are_compared_some_at_a_time"
        " sidecar/test_long_texts.py::test_no_thread_that_reads_is_held_up_by_a_collection"
        " shell/test_sorting_in_turns.py::test_signs_of_another_language_are_looked_for_piece_by_piece",
    ),
    Promise(
        "9",
        "patterns of users run in linear time",
        f"{BOUNDED}test_a_pattern_that_backtracks_for_ever_hangs_no_run"
        " shell/test_user_patterns.py::test_a_pattern_that_backtracks_for_ever_elsewhere_does_not_here"
        " shell/test_user_patterns.py::test_a_text_that_would_take_too_long_is_hidden_rather_than_shown",
    ),
    Promise(
        "10",
        "traced runs give their descriptor back",
        f"{CONCLUDING}test_a_thousand_traced_runs_leave_no_descriptor",
    ),
    Promise(
        "10",
        "another process's write lock delays no run",
        f"{AT_THE_FILE}test_while_another_process_writes_memory_goes_on_and_nothing_is_lost",
    ),
    Promise(
        "10",
        "a truncated -shm or -wal ends no server and is told",
        f"{AT_THE_FILE}test_a_log_that_is_cut_ends_no_server_and_is_told_once",
    ),
    Promise(
        "11",
        "runtime folders that others can write are used for nothing",
        f"{OTHERS}test_a_runtime_folder_of_others_gets_nothing_and_the_server_does_all_it_does"
        f" {OTHERS}test_it_is_not_the_runtime_folder",
    ),
    Promise(
        "11",
        "and do not switch the server off",
        f"{OTHERS}test_all_that_a_user_finds_taken_by_another_is_had_elsewhere"
        f" {OTHERS}test_where_our_name_in_the_runtime_folder_is_taken_all_is_had_elsewhere"
        f" {OTHERS}test_where_no_shared_place_is_safe_the_state_folder_serves",
    ),
    Promise(
        "12",
        "nothing said of trust is trust",
        f"{TRUST}test_a_client_that_says_nothing_of_trust_is_trusted",
    ),
    Promise(
        "12",
        "true and false in initializationOptions are as said",
        f"{TRUST}test_true_and_false_in_initialize_are_as_said",
    ),
    Promise(
        "12",
        "any other value there is no trust, said once",
        f"{TRUST}test_any_other_value_in_initialize_is_no_trust_and_said_once",
    ),
    Promise(
        "12",
        "true and false in workspace/configuration hold from then on",
        f"{TRUST}test_true_and_false_in_the_configuration_hold_from_then_on",
    ),
    Promise(
        "12",
        "a late, odd, empty or partial configuration changes nothing",
        f"{TRUST}test_anything_else_leaves_it_as_it_was {TRUST}test_no_answer_leaves_it_as_it_was"
        f" {TRUST}test_a_late_answer_changes_nothing_and_is_asked_for_again"
        f" {TRUST}test_what_is_wrong_beside_it_takes_nothing_from_what_is_said_of_trust",
    ),
    Promise(
        "12",
        "who joined an untrusted server takes that along when the server goes",
        f"{TRUST}test_an_agent_that_joined_an_untrusted_server_runs_nothing_when_it_goes"
        f" {TRUST}test_run_shared_in_an_untrusted_workspace_runs_nothing",
    ),
    Promise(
        "13",
        "programs of an untrusted workspace are never started by the server itself",
        f"{PROGRAMS}test_no_program_of_an_untrusted_workspace_is_started"
        f" {PROGRAMS}test_what_a_program_calls_in_turn_is_not_found_in_the_workspace"
        f" {PROGRAMS}test_nothing_else_starts_a_process",
    ),
    Promise(
        "13",
        "relative and empty entries of PATH are passed over",
        f"{PROGRAMS}test_relative_and_empty_folders_of_path_are_passed_over_where_all_is_trusted",
    ),
    Promise(
        "13",
        "BASH_ENV, ENV and ZDOTDIR of the workspace are out",
        f"{PROGRAMS}test_what_variables_name_is_not_run",
    ),
    Promise(
        "14",
        "what is written into a workspace by itself follows no link out of it",
        "sidecar/test_saved_output.py::test_a_link_in_its_place_is_replaced_not_followed"
        " sidecar/test_saved_output.py::test_a_folder_that_leads_out_of_the_workspace_is_not_used"
        " sidecar/test_saved_output.py::"
        "test_the_folder_replaced_by_a_link_at_any_moment_leads_nowhere",
    ),
    Promise(
        "14",
        "nor what a person has written there by a command of ours",
        "cli/test_hook.py::test_a_link_in_the_project_leads_no_hook_out_of_it"
        " cli/test_trace.py::test_a_profile_follows_no_link_out_of_the_project"
        " cli/test_startup.py::test_a_profile_follows_no_link_out_of_the_project",
    ),
    Promise(
        "15",
        "a leading space leaves its text nowhere",
        f"{NOT_KEPT}test_a_command_that_begins_with_a_space_is_told_nowhere",
    ),
    Promise(
        "15",
        "nor in process titles of ours",
        f"{NOT_KEPT}test_the_command_lines_own_title_says_nothing_of_it",
    ),
    Promise(
        "15",
        "what one frontend masks all mask, texts and structured answers alike",
        f"{NOT_KEPT}test_a_secret_is_told_nowhere_and_the_rest_of_its_command_is"
        " mcp/test_mcp.py::test_secrets_of_known_form_are_masked_and_the_whole_stays"
        " mcp/test_mcp.py::test_secrets_are_masked_at_any_depth_of_an_answer",
    ),
    Promise(
        "16",
        "vendor tokens that stand alone go",
        f"{VENDORS}test_a_token_of_a_vendor_is_found_wherever_it_stands"
        f" {VENDORS}test_every_rule_of_gitleaks_finds_what_it_describes",
    ),
    Promise(
        "16",
        "gitleaks' rules are data that says where it is from",
        f"{VENDORS}test_the_data_says_where_it_is_from_and_its_licence_lies_beside_it"
        f" {VENDORS}test_rules_in_the_syntax_of_go_become_bounded_patterns_without_groups",
    ),
    Promise(
        "16",
        "our own engine keeps its bounds",
        f"{VENDORS}test_repetitions_that_never_become_a_token_are_read_in_bounded_time"
        f" {VENDORS}test_every_rule_of_gitleaks_is_tried_where_its_literal_stands_and_costs_little",
    ),
    Promise(
        "16",
        "the forms that slipped through go",
        f"{REDACT}test_what_once_slipped_through_goes"
        f" {REDACT}test_what_is_put_into_a_variable_is_judged_by_where_the_variable_is_put",
    ),
    Promise(
        "16",
        "innocent commands stay as they are",
        f"{REDACT}test_what_once_lost_words_stays {REDACT}test_a_command_without_secrets_stays_as_it_is",
    ),
    Promise(
        "tests",
        "the end of a torrent is told whoever comes first",
        "tasks/test_torrents.py::test_one_that_is_over_before_its_second_thread_begins_is_told_as_over",
    ),
    Promise(
        "tests",
        "a failure that passes when tried again is named and counted",
        "test_whole_run.py::test_what_passes_alone_is_named_and_counted_and_does_not_stop_a_landing",
    ),
    Promise(
        "tests",
        "SECURITY.md says what is promised, and names tests that are there",
        "test_readme.py::test_every_test_that_security_names_is_there",
    ),
    Promise(
        "words",
        "what a command can see of us is what RUN-4 says",
        "tasks/test_start.py::test_a_command_sees_no_trace_but_the_variables_of_the_contract"
        " tasks/test_start.py::test_no_listing_shows_a_name_of_ours_beside_traps_of_the_command"
        " sidecar/test_sessions.py::test_nor_does_one_beside_a_trap_of_the_command",
    ),
    Promise(
        "words",
        "the variables of RUN-17 are these",
        "server/test_without_terminal.py::test_these_are_the_variables",
    ),
    Promise(
        "words",
        ".tmp is for agents' runs alone",
        f"{LIMITS}test_only_an_agents_cut_output_is_saved_in_the_workspace"
        " sidecar/test_run.py::test_a_person_gets_no_file_in_the_workspace",
    ),
)
