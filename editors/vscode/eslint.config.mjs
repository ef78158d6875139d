import js from "@eslint/js";
import tseslint from "typescript-eslint";

export default tseslint.config(
  { ignores: ["dist", "dist-test", "bundled", "node_modules", "scripts"] },
  js.configs.recommended,
  tseslint.configs.strictTypeChecked,
  tseslint.configs.stylisticTypeChecked,
  {
    files: ["src/**/*.ts", "test/**/*.ts"],
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      "max-lines": ["error", 400],
      "max-lines-per-function": ["error", 50],
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
    },
  },
  {
    files: ["test/**/*.ts"],
    rules: {
      "max-lines-per-function": "off",
      // node:test gives a promise of its own that nobody has to wait for.
      "@typescript-eslint/no-floating-promises": "off",
    },
  },
  { files: ["src/protocol.ts"], rules: { "max-lines": "off" } }, // generated
  { files: ["*.mjs"], extends: [tseslint.configs.disableTypeChecked] },
);
