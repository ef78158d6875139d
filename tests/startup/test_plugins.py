"""Of which plugin a file is (START-1): the folders of real plugin managers."""

from __future__ import annotations

import pytest

from zsh_ls.startup.plugins import plugin_of

HOME = "/home/me"


@pytest.mark.parametrize(
    ("file", "name", "folder"),
    [
        (".oh-my-zsh/plugins/git/git.plugin.zsh", "git", ".oh-my-zsh/plugins/git"),
        (
            ".oh-my-zsh/custom/plugins/zsh-z/zsh-z.plugin.zsh",
            "zsh-z",
            ".oh-my-zsh/custom/plugins/zsh-z",
        ),
        (".oh-my-zsh/lib/completion.zsh", "oh-my-zsh", ".oh-my-zsh"),
        (".oh-my-zsh/themes/agnoster.zsh-theme", "oh-my-zsh", ".oh-my-zsh"),
        (".zprezto/modules/editor/init.zsh", "editor", ".zprezto/modules/editor"),
        (".zprezto/init.zsh", "zprezto", ".zprezto"),
        (".zim/modules/completion/init.zsh", "completion", ".zim/modules/completion"),
        (
            ".local/share/zinit/plugins/zsh-users---zsh-autosuggestions/a.zsh",
            "zsh-autosuggestions",
            ".local/share/zinit/plugins/zsh-users---zsh-autosuggestions",
        ),
        (
            ".cache/antidote/https-COLON--SLASH--SLASH-github.com-SLASH-zsh-users-SLASH-zsh-completions/x.zsh",
            "zsh-completions",
            ".cache/antidote/https-COLON--SLASH--SLASH-github.com-SLASH-zsh-users-SLASH-zsh-completions",
        ),
        (
            ".cache/antidote/github.com/zsh-users/zsh-completions/x.zsh",
            "zsh-completions",
            ".cache/antidote/github.com/zsh-users/zsh-completions",
        ),
        (
            ".antigen/bundles/robbyrussell/oh-my-zsh/plugins/git/git.plugin.zsh",
            "git",
            ".antigen/bundles/robbyrussell/oh-my-zsh/plugins/git",
        ),
        (".antigen/bundles/zsh-users/x/x.zsh", "x", ".antigen/bundles/zsh-users/x"),
        (".zplug/repos/zsh-users/x/x.zsh", "x", ".zplug/repos/zsh-users/x"),
        ("powerlevel10k/powerlevel10k.zsh-theme", "powerlevel10k", "powerlevel10k"),
    ],
)
def test_a_file_belongs_to_a_plugin(file: str, name: str, folder: str) -> None:
    found = plugin_of(f"{HOME}/{file}")
    assert found is not None
    assert (found.name, found.folder) == (name, f"{HOME}/{folder}")


@pytest.mark.parametrize(
    "file",
    [
        *("/home/me/.zshrc", "/etc/zsh/zshrc", "(zsh)", "/usr/share/zsh/functions/x"),
        *("/home/sheldon/.zshrc", "/home/me/.cache/prezto/zcompdump"),
    ],
)
def test_the_persons_own_files_are_no_plugin(file: str) -> None:
    assert plugin_of(file) is None


def test_a_package_of_the_system_is_one() -> None:
    found = plugin_of("/usr/share/zsh-autosuggestions/zsh-autosuggestions.zsh")
    assert found is not None
    assert found.name == "zsh-autosuggestions"
