/** The places that outputs name, by task, until their line changes or their command runs again. Pure. */

import type { Place, Progress, TaskResult } from "./protocol";

/** A place and the line it stands on by now, from 0. */
export interface FoundPlace extends Place {
  at: number;
}

/** Lines `first` up to, not including, `last` of a file (from 0) became `lines` ones. */
export interface LineChange {
  first: number;
  last: number;
  lines: number;
}

interface Run {
  command: string;
  found: FoundPlace[];
}

const KEPT = 50;
// What a search found is no finding about its file: a link in the output, not a problem.
const SEARCHES = new Set(["grep", "egrep", "fgrep", "zgrep", "rg", "ag", "ack"]);
// As tools print them: `file:3:4`, `file(3,4)`, `File "file", line 3`, `file: line 3`.
const PRINTED =
  /(?:File "([^"\n]+)", line (\d+))|([^\s:()"'`]+)(?::(\d+)(?::\d+)?|\((\d+),\d+\)|: line (\d+))/g;
const MOST_LINKS_A_LINE = 20;
const LONGEST_LINE = 2_000;

/** Where a text names a place. */
export interface Mention {
  start: number;
  length: number;
  place: FoundPlace;
}

export class PlaceBook {
  private readonly runs = new Map<string, Run>();

  /** Takes what a message brings; the files whose places are others now. */
  heard(news: Progress | TaskResult): Set<string> {
    const changed = new Set<string>();
    const { found } = this.run(news.task_id, news.command, changed);
    const known = new Set(found.map(keyOf));
    for (const place of news.places ?? []) {
      if (!known.has(keyOf(place))) {
        known.add(keyOf(place));
        found.push({ ...place, at: place.line - 1 });
        changed.add(place.file);
      }
    }
    return changed;
  }

  /** What stands on a changed line is gone, what is below moves along; whether there was any. */
  edited(file: string, { first, last, lines }: LineChange): boolean {
    let touched = false;
    for (const run of this.runs.values()) {
      const kept = run.found.filter(
        (place) => place.file !== file || place.at < first || place.at >= last,
      );
      touched ||= kept.length < run.found.length;
      run.found = kept;
      for (const place of kept) {
        if (place.file === file && place.at >= last) {
          place.at += lines - (last - first);
          touched = true;
        }
      }
    }
    return touched;
  }

  /** What is a problem of a file. */
  problems(file: string): FoundPlace[] {
    return this.all().filter((place) => place.file === file && !isOfSearch(place));
  }

  /** Where a line of output names places that are known. */
  mentions(line: string): Mention[] {
    const found: Mention[] = [];
    for (const match of line.slice(0, LONGEST_LINE).matchAll(PRINTED)) {
      const file = match[1] ?? match[3] ?? "";
      const number = Number(match[2] ?? match[4] ?? match[5] ?? match[6]);
      const place = this.all().find((it) => it.line === number && isAt(it.file, file));
      if (place) {
        found.push({ start: match.index, length: match[0].length, place });
      }
      if (found.length >= MOST_LINKS_A_LINE) {
        break;
      }
    }
    return found;
  }

  private all(): FoundPlace[] {
    return [...this.runs.values()].reverse().flatMap((run) => run.found);
  }

  /** The run of a task; those of the same command before it are gone. */
  private run(id: string, command: string, changed: Set<string>): Run {
    const known = this.runs.get(id);
    if (known) {
      return known;
    }
    for (const [other, run] of this.runs) {
      if (run.command === command || this.runs.size >= KEPT) {
        run.found.forEach((place) => changed.add(place.file));
        this.runs.delete(other);
      }
    }
    const run = { command, found: [] };
    this.runs.set(id, run);
    return run;
  }
}

function keyOf(place: Place): string {
  return [place.file, place.line, place.column, place.severity, place.message].join("\0");
}

function isOfSearch(place: Place): boolean {
  return place.severity === "info" && SEARCHES.has(place.source);
}

/** Whether a path as it is printed may be that of the file. */
function isAt(file: string, printed: string): boolean {
  const parts = printed.split("/").filter((part) => part !== "." && part !== ".." && part !== "");
  return parts.length > 0 && `${file}/`.endsWith(`/${parts.join("/")}/`);
}
