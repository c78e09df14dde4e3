import { matchesGlob } from 'node:path/posix';

/** Anything that a project has: a function, an index, a release. */
export interface Resource {
  /** `projects/P/databases/(default)` */
  readonly name: string;
  readonly updateTime: string;
}

/** All resources of a project by name, with the fields that were sent. */
export class Resources {
  readonly #stored = new Map<string, Resource>();

  get(name: string): Resource | undefined {
    return this.#stored.get(name);
  }

  /** The resources with such a name, the newest first: `-` is any segment. */
  list(name: string): readonly Resource[] {
    const pattern = name.replaceAll('/-', '/*');
    const stored = [...this.#stored.values()];
    return stored.filter((resource) => matchesGlob(resource.name, pattern)).toReversed();
  }

  /** Deletes a resource and all that is below it; undefined if it does not exist. */
  delete(name: string): object | undefined {
    if (!this.#stored.delete(name)) return undefined;
    for (const each of this.#stored.keys())
      if (each.startsWith(`${name}/`)) this.#stored.delete(each);
    return { done: true };
  }

  /** Creates a resource, or changes the fields that are given. */
  put(name: string, fields: object): Resource {
    const former = this.#stored.get(name);
    const resource = { ...former, ...fields, name, updateTime: new Date().toISOString() };
    this.#stored.set(name, resource);
    return resource;
  }
}
