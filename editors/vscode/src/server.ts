// The language server's life: found, started, stopped, started again.

import { execFile } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { promisify } from 'node:util';
import * as vscode from 'vscode';
import { type Executable, LanguageClient, type LanguageClientOptions, RevealOutputChannelOn, State } from 'vscode-languageclient/node';
import { discover } from './discovery';
import { OWN_COMMANDS, STATUS, type Status } from './protocol';

/** What there is to know of the server: what it says of itself, or why there is none. */
export type ServerState = Status | { state: 'starting' } | { state: 'stopped' } | { state: 'failed'; problem: string };

export class Server implements vscode.Disposable {
  private client: LanguageClient | undefined;
  private readonly changed = new vscode.EventEmitter<ServerState>();
  /** Fires whenever the state changes. */
  readonly onChange = this.changed.event;
  state: ServerState = { state: 'stopped' };
  /** What the server says of its version. */
  version = '';
  /** The protocol's messages, if the user wants them. */
  private readonly trace = vscode.window.createOutputChannel('Mockpoint Trace', { log: true });
  /** Starts and stops follow each other, however fast the user asks for them. */
  private last: Promise<void> = Promise.resolve();

  constructor(
    private readonly context: vscode.ExtensionContext,
    private readonly log: vscode.LogOutputChannel,
  ) {}

  start(): Promise<void> {
    return this.next(() => this.startNow());
  }

  restart(): Promise<void> {
    return this.next(async () => {
      await this.stopNow();
      await this.startNow();
    });
  }

  stop(): Promise<void> {
    return this.next(() => this.stopNow());
  }

  /** Asks the server. Fails if there is none. */
  async request<T>(method: string, params: unknown): Promise<T> {
    const client = this.client;
    if (client === undefined || client.state !== State.Running) {
      throw new Error('The mockpoint server does not run. Its output channel says why.');
    }
    return client.sendRequest<T>(method, params);
  }

  /** Lets the server run one of its commands. */
  command<T>(command: string, ...args: unknown[]): Promise<T> {
    return this.request<T>('workspace/executeCommand', { command, arguments: args });
  }

  dispose(): void {
    void this.stop();
    this.trace.dispose();
    this.changed.dispose();
  }

  private next(work: () => Promise<void>): Promise<void> {
    this.last = this.last.then(work, work);
    return this.last;
  }

  private set(state: ServerState): void {
    this.state = state;
    this.changed.fire(state);
  }

  private async startNow(): Promise<void> {
    const settings = vscode.workspace.getConfiguration('mockpoint');
    const found = discover({
      isTrusted: vscode.workspace.isTrusted,
      setting: settings.get<string>('server.path'),
      folder: vscode.workspace.workspaceFolders?.[0]?.uri.fsPath,
      home: homedir(),
      extension: this.context.extensionUri.fsPath,
      platform: process.platform,
      env: process.env,
      isProgram,
    });
    if ('problem' in found) {
      this.fail(found.problem);
      return;
    }
    const { file, origin } = found;
    try {
      const { stdout } = await promisify(execFile)(file, ['--version'], { timeout: 10_000 });
      this.version = stdout.trim();
    } catch (err) {
      this.fail(`"${file}" does not start: ${err instanceof Error ? err.message : String(err)}`);
      return;
    }
    this.log.info(`The server is ${file} (${origin}), ${this.version}`);
    this.set({ state: 'starting' });
    const client = this.makeClient(file, settings);
    this.client = client;
    client.onNotification(STATUS, (status: Status) => this.set(status));
    client.onDidChangeState(({ newState }) => {
      if (newState === State.Stopped && this.client === client) {
        this.set({ state: 'stopped' });
      }
    });
    try {
      await client.start();
    } catch (err) {
      this.fail(`The server did not start: ${err instanceof Error ? err.message : String(err)}`);
    }
  }

  private makeClient(file: string, settings: vscode.WorkspaceConfiguration): LanguageClient {
    const level = settings.get<string>('server.logLevel', 'warn');
    const run: Executable = { command: file, args: ['server'], options: { env: { ...process.env, MOCKPOINT_LOG: `mockpoint=${level}` } } };
    const options: LanguageClientOptions = {
      documentSelector: [
        { scheme: 'file', language: 'java' },
        { scheme: 'untitled', language: 'java' },
      ],
      outputChannel: this.log,
      traceOutputChannel: this.trace,
      revealOutputChannelOn: RevealOutputChannelOn.Never,
      initializationOptions: {
        ...vscode.workspace.getConfiguration().get<object>('mockpoint'),
        client: { commands: OWN_COMMANDS, status: true, relatedInHovers: true },
      },
    };
    return new LanguageClient('mockpoint', 'Mockpoint', run, options);
  }

  private async stopNow(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    if (client?.needsStop()) {
      await client.stop();
    }
    await client?.dispose();
    this.set({ state: 'stopped' });
  }

  private fail(problem: string): void {
    this.client = undefined;
    this.log.error(problem);
    this.set({ state: 'failed', problem });
  }
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
