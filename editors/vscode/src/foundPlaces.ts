/** Shows the places that outputs name: problems of their files, links in outputs and terminals. */

import * as vscode from "vscode";
import { PlaceBook, type FoundPlace, type Mention } from "./placeBook";
import type { Place, Progress, TaskResult } from "./protocol";

const OUTPUTS = { scheme: "zsh-ls" };
const LONGEST_DOCUMENT_LINES = 20_000;
const SEVERITIES: Record<Place["severity"], vscode.DiagnosticSeverity> = {
  error: vscode.DiagnosticSeverity.Error,
  warning: vscode.DiagnosticSeverity.Warning,
  info: vscode.DiagnosticSeverity.Information,
};

class PlaceLink extends vscode.TerminalLink {
  constructor(
    { start, length }: Mention,
    readonly place: FoundPlace,
  ) {
    super(start, length, place.message);
  }
}

export class FoundPlaces
  implements vscode.DocumentLinkProvider, vscode.TerminalLinkProvider<PlaceLink>
{
  private readonly book = new PlaceBook();
  private readonly problems = vscode.languages.createDiagnosticCollection("zsh-ls places");

  register(): vscode.Disposable {
    return vscode.Disposable.from(
      this.problems,
      vscode.languages.registerDocumentLinkProvider(OUTPUTS, this),
      vscode.window.registerTerminalLinkProvider(this),
      vscode.workspace.onDidChangeTextDocument((change) => {
        this.edited(change);
      }),
    );
  }

  /** Takes the places that progress or an answer brings. */
  heard(news: Progress | TaskResult): void {
    for (const file of this.book.heard(news)) {
      this.show(file);
    }
  }

  provideDocumentLinks(document: vscode.TextDocument): vscode.DocumentLink[] {
    const links: vscode.DocumentLink[] = [];
    for (let at = 0; at < Math.min(document.lineCount, LONGEST_DOCUMENT_LINES); at++) {
      for (const { start, length, place } of this.book.mentions(document.lineAt(at).text)) {
        links.push(
          new vscode.DocumentLink(new vscode.Range(at, start, at, start + length), uriOf(place)),
        );
      }
    }
    return links;
  }

  provideTerminalLinks({ line }: vscode.TerminalLinkContext): PlaceLink[] {
    return this.book.mentions(line).map((mention) => new PlaceLink(mention, mention.place));
  }

  async handleTerminalLink({ place }: PlaceLink): Promise<void> {
    await vscode.window.showTextDocument(vscode.Uri.file(place.file), {
      selection: rangeOf(place),
    });
  }

  private edited({ document, contentChanges }: vscode.TextDocumentChangeEvent): void {
    if (document.uri.scheme !== "file") {
      return;
    }
    let touched = false;
    for (const { range, text } of contentChanges) {
      // What is inserted before a line's first character changes none of it.
      const whole = range.isEmpty && range.start.character === 0 && text.endsWith("\n");
      const last = whole ? range.start.line : range.end.line + 1;
      const lines = text.split("\n").length - (whole ? 1 : 0);
      const change = { first: range.start.line, last, lines };
      touched = this.book.edited(document.uri.fsPath, change) || touched;
    }
    if (touched) {
      this.show(document.uri.fsPath);
    }
  }

  private show(file: string): void {
    this.problems.set(
      vscode.Uri.file(file),
      this.book.problems(file).map((place) => {
        const message =
          place.test === undefined ? place.message : `${place.message} (${place.test})`;
        const problem = new vscode.Diagnostic(rangeOf(place), message, SEVERITIES[place.severity]);
        problem.source = place.source;
        return problem;
      }),
    );
  }
}

/** From the place's column, or its line's first, to the end of the line. */
function rangeOf(place: FoundPlace): vscode.Range {
  const last = place.at + ((place.end_line ?? place.line) - place.line);
  return new vscode.Range(place.at, (place.column ?? 1) - 1, last, 10_000);
}

/** The file at the place; the editor reads line and column in the fragment. */
function uriOf(place: FoundPlace): vscode.Uri {
  return vscode.Uri.file(place.file).with({ fragment: `L${place.at + 1},${place.column ?? 1}` });
}
