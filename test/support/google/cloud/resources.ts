import { matchesGlob } from 'node:path/posix';

/** A resource of a project: a function, an index, a release. */
export interface Resource {
  /** `projects/P/databases/(default)` */
  readonly name: string;
  readonly updateTime: string;
}

/** Stores the resources of a project by name, with the fields that requests have set. */
export class Resources {
  readonly #resources = new Map<string, Resource>();

  get(name: string): Resource | undefined {
    return this.#resources.get(name);
  }

  /** Lists the resources whose name matches, the newest first. `-` matches any segment. */
  list(name: string): readonly Resource[] {
    const pattern = name.replaceAll('/-', '/*');
    const resources = [...this.#resources.values()];
    return resources.filter((resource) => matchesGlob(resource.name, pattern)).toReversed();
  }

  /** Deletes a resource and all resources below it; undefined if it does not exist. */
  delete(name: string): object | undefined {
    if (!this.#resources.delete(name)) return undefined;
    for (const child of this.#resources.keys())
      if (child.startsWith(`${name}/`)) this.#resources.delete(child);
    return { done: true };
  }

  /** Creates a resource, or changes these fields of it. */
  put(name: string, fields: object): Resource {
    const current = this.#resources.get(name);
    const resource = { ...current, ...fields, name, updateTime: new Date().toISOString() };
    this.#resources.set(name, resource);
    return resource;
  }
}
