import { createDatabase, type Engine, type EngineDatabase } from './engine.ts';
import { Faults } from './faults.ts';
import { Meter } from './meter.ts';
import { Status, StatusError } from './status.ts';
import { Transactions, type TransactionTimes } from './transactions.ts';

/** A database: the engine, and what the gateway adds to it. */
export interface Database {
  readonly engine: Engine;
  readonly transactions: Transactions;
  readonly meter: Meter;
  readonly faults: Faults;
}

/** The databases of one server, created when they are first used. */
export class Databases {
  readonly #times: TransactionTimes;
  readonly #databases = new Map<string, Promise<Database & EngineDatabase>>();
  readonly #meters = new Map<string, Meter>();
  readonly #faults = new Map<string, Faults>();

  constructor(times: TransactionTimes) {
    this.#times = times;
  }

  /** The database of a resource name (`projects/…/databases/…[/…]`). */
  async of(resource: string): Promise<Database> {
    const [name, projectId, databaseId] =
      /^projects\/([^/]+)\/databases\/([^/]+)/.exec(resource) ?? [];
    if (name === undefined || projectId === undefined || databaseId === undefined) {
      throw new StatusError(Status.INVALID_ARGUMENT, 'The name of a database is missing.');
    }
    let database = this.#databases.get(name);
    if (database === undefined) {
      database = this.#create(projectId, databaseId);
      this.#databases.set(name, database);
    }
    return database;
  }

  /** The meter of a project, shared by all its databases. */
  meterOf(projectId: string): Meter {
    let meter = this.#meters.get(projectId);
    if (meter === undefined) {
      meter = new Meter();
      this.#meters.set(projectId, meter);
    }
    return meter;
  }

  /** The injected faults of a project, shared by all its databases. */
  faultsOf(projectId: string): Faults {
    let faults = this.#faults.get(projectId);
    if (faults === undefined) {
      faults = new Faults();
      this.#faults.set(projectId, faults);
    }
    return faults;
  }

  /** Empties the databases of a project and resets its meter. */
  async reset(projectId: string): Promise<void> {
    for (const [name, database] of this.#databases) {
      if (!name.startsWith(`projects/${projectId}/`)) continue;
      const emptied = await database;
      emptied.transactions.clear();
      emptied.reset();
    }
    this.meterOf(projectId).reset();
  }

  async #create(projectId: string, databaseId: string): Promise<Database & EngineDatabase> {
    return {
      ...(await createDatabase(projectId, databaseId)),
      transactions: new Transactions(this.#times),
      meter: this.meterOf(projectId),
      faults: this.faultsOf(projectId),
    };
  }
}
