# Nix: `nix run "git+@repository@?dir=tools/releasing/recipes"`. Its syntax is checked; nobody has built it yet, as
# nixpkgs has to be fetched for that.
{
  description = "Runs shell commands, remembers them, and says what their exits meant";
  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-unstable";

  outputs = { self, nixpkgs }:
    let
      systems = [ "x86_64-linux" "aarch64-linux" "x86_64-darwin" "aarch64-darwin" ];
      forEach = make: nixpkgs.lib.genAttrs systems (system: make nixpkgs.legacyPackages.${system});
    in {
      packages = forEach (pkgs:
        let python = pkgs.python3Packages;
        in {
          default = python.buildPythonApplication {
            pname = "zsh-ls";
            version = "@version@";
            pyproject = true;
            src = ../../..;
            build-system = [ python.hatchling python.hatch-fancy-pypi-readme ];
            dependencies = with python; [
              @nix_dependencies@
              mcp
            ];
            nativeBuildInputs = [ pkgs.installShellFiles ];
            postInstall = ''
              installShellCompletion --cmd zsh-ls \
                --zsh <($out/bin/zsh-ls completion zsh) \
                --bash <($out/bin/zsh-ls completion bash) \
                --fish <($out/bin/zsh-ls completion fish)
            '';
            pythonImportsCheck = [ "zsh_ls" ];
            meta = {
              homepage = "@repository@";
              license = pkgs.lib.licenses.mit;
              mainProgram = "zsh-ls";
            };
          };
        });
      apps = forEach (pkgs: {
        default = {
          type = "app";
          program = "${self.packages.${pkgs.stdenv.hostPlatform.system}.default}/bin/zsh-ls";
        };
      });
    };
}
