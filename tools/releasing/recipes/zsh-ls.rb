# Homebrew: the formula of a tap of our own (homebrew-core wants each dependency as a resource). `tools/release recipes`
# writes the version and the sum of the source distribution. Not run on macOS.
class ZshLs < Formula
  desc "Runs shell commands, remembers them, and says what their exits meant"
  homepage "@repository@"
  url "https://files.pythonhosted.org/packages/source/z/@pypi@/@sdist@"
  sha256 "@sdist_sha256@"
  license "MIT"

  # google-re2 is built from source where it has no wheel.
  depends_on "abseil"
  depends_on "python@3.13"
  depends_on "re2"

  def install
    python = Formula["python@3.13"].opt_bin/"python3.13"
    system python, "-m", "venv", libexec
    system libexec/"bin/pip", "install", "--constraint", "tests/constraints.txt", "#{buildpath}[mcp]"
    bin.install_symlink libexec/"bin/zsh-ls"
    man1.install "docs/zsh-ls.1"
    generate_completions_from_executable(bin/"zsh-ls", "completion")
  end

  test do
    output = shell_output("#{bin}/zsh-ls run 'ls /nowhere | wc -l' 2>&1")
    assert_match "pipestatus=", output
  end
end
