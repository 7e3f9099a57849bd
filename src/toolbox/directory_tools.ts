/**
 * One tool directory of an open toolbox: its files, what they say, and whether they are trusted.
 *
 * @module
 */

import {
  describeFiles,
  type DescribeOptions,
  type DirectoryDescription,
  NOT_DESCRIBED,
} from "./describe.ts";
import { DirectoryIndex } from "./directory_index.ts";
import { renderPermissions } from "./permissions.ts";
import {
  isUnchanged,
  loadToolFiles,
  nameChanges,
  type ToolFiles,
  unreadFiles,
} from "./tool_files.ts";
import type { ToolboxOptions, ToolDirectory } from "./toolbox.ts";
import { type RunTrust, settleTrust, type Trust, widenedSince } from "./trust.ts";

/** How often a directory that changes while it is read is read again. */
const READINGS = 3;

const ASK_AGAIN = "the user has to agree with /tools trust first";

/** A directory with its state. */
export class DirectoryTools {
  readonly directory: ToolDirectory;
  readonly #options: ToolboxOptions;
  readonly #describing: DescribeOptions;
  readonly #trustOfRun: RunTrust;
  readonly #index: DirectoryIndex;
  #files: ToolFiles;
  #described = NOT_DESCRIBED;
  #trust: Trust | undefined;
  #refreshing: Promise<string | undefined> | undefined;

  constructor(
    directory: ToolDirectory,
    options: ToolboxOptions,
    describing: DescribeOptions,
    trustOfRun: RunTrust,
  ) {
    this.directory = directory;
    this.#options = options;
    this.#describing = describing;
    this.#trustOfRun = trustOfRun;
    this.#index = new DirectoryIndex(describing.cacheDir, directory.path);
    this.#files = unreadFiles(directory);
  }

  get files(): ToolFiles {
    return this.#files;
  }

  get described(): DirectoryDescription {
    return this.#described;
  }

  /** True when it has tools and the user does not want them, or could not be asked. */
  get isUntrusted(): boolean {
    return this.#trust === undefined && this.#hasTools();
  }

  /** True when the user has to agree before anything more of it runs; looks at the files. */
  awaitsTrust(): boolean {
    if (this.#trust === undefined) return this.isUntrusted;
    return [...this.#described.files.keys()].some((name) => this.refuse(name)) || this.#hasStrayed;
  }

  /** Why a file would not run now; looks at the files. */
  refuseNow(name: string): string | undefined {
    if (this.#hasStrayed) {
      return `files of ${this.#files.root} are not what the user agreed to; ${ASK_AGAIN}`;
    }
    return this.refuse(name);
  }

  /** True when there are edits that the user has not agreed to. */
  get #hasStrayed(): boolean {
    return this.#trust?.coversEdits === false && !this.isCurrent();
  }

  /** Reads and describes everything anew; then settles the trust, which may ask. */
  async load(): Promise<void> {
    for (let reading = 0; reading < READINGS; reading++) {
      if (await this.#describe(this.#read())) break;
    }
    this.#trust = this.#hasTools()
      ? await settleTrust(
        this.directory,
        this.#files,
        this.#described,
        this.#options,
        this.#trustOfRun,
      )
      : undefined;
  }

  /**
   * Looks whether files have changed, before a call. Changes that are covered by what the user
   * agreed to are taken in; others are the reason, given back, why nothing of the directory runs.
   */
  refresh(): Promise<string | undefined> {
    this.#refreshing ??= this.#refresh().finally(() => this.#refreshing = undefined);
    return this.#refreshing;
  }

  /** True when the files are still those of the last reading. */
  isCurrent(): boolean {
    return isUnchanged(this.#files, this.directory) ||
      this.#read().digest === this.#files.digest;
  }

  /** Why one file may not run although the directory may: it asks for more than was agreed to. */
  refuse(name: string): string | undefined {
    const agreed = this.#trust?.record.permissions;
    if (agreed === undefined) return `${this.#files.root} is not trusted; ${ASK_AGAIN}`;
    const { permissions } = this.#described.files.get(name) ?? {};
    const wider = widenedSince(agreed, permissions === undefined ? {} : { [name]: permissions });
    const more = wider[name];
    return more === undefined
      ? undefined
      : `${name} now also asks for ${renderPermissions(more)}; ${ASK_AGAIN}`;
  }

  async #refresh(): Promise<string | undefined> {
    if (isUnchanged(this.#files, this.directory)) return undefined;
    const now = this.#read();
    if (now.digest === this.#files.digest) {
      this.#files = now;
      return undefined;
    }
    if (this.#trust?.coversEdits !== true) {
      const changes = nameChanges(this.#files.seen, now.seen).join(", ");
      return `files of ${this.#files.root} are not what the user agreed to (${changes}); ${ASK_AGAIN}`;
    }
    await this.#describe(now);
    return undefined;
  }

  /** Takes files in; false when they have changed meanwhile. */
  async #describe(files: ToolFiles): Promise<boolean> {
    this.#described = await describeFiles(files, this.#index.descriptions, this.#describing);
    this.#files = files;
    // Where nothing was loaded no time has passed.
    const isCurrent = this.#described.loaded === 0 || this.isCurrent();
    if (isCurrent) await this.#index.save(files.files, this.#described.known);
    return isCurrent;
  }

  /** The files as they are now; what has not changed since the last reading is not read again. */
  #read(): ToolFiles {
    const known = this.#files.files.size === 0 ? this.#index.files : this.#files.files;
    return loadToolFiles(this.directory, known);
  }

  #hasTools(): boolean {
    return [...this.#described.files.values()].some(({ tools }) => tools.length > 0);
  }
}
