import { Failure } from './route.ts';

/** Anything that a project has: a function, an index, a release. */
export interface Resource {
  /** `projects/P/databases/(default)` */
  readonly name: string;
  /** When it was created and last changed. */
  readonly createTime: string;
  readonly updateTime: string;
}

/** All resources of a project by name, with the fields that were sent. */
export class Resources {
  readonly #stored = new Map<string, Resource>();

  has(name: string): boolean {
    return this.#stored.has(name);
  }

  /** The resource of this name, which must exist. */
  get(name: string): Resource {
    const resource = this.#stored.get(name);
    if (resource === undefined) throw new Failure(404, 'NOT_FOUND', `${name} does not exist.`);
    return resource;
  }

  /** The resources with such a name, the oldest first: `-` is any segment. */
  list(name: string): readonly Resource[] {
    const wanted = name.split('/');
    return [...this.#stored.values()].filter((resource) => {
      const segments = resource.name.split('/');
      return (
        segments.length === wanted.length &&
        wanted.every((segment, index) => segment === '-' || segment === segments[index])
      );
    });
  }

  /** Creates a resource, or changes the fields that are given. */
  put(name: string, fields: object): Resource {
    const updateTime = new Date().toISOString();
    const former = this.#stored.get(name) ?? { createTime: updateTime };
    const resource = { ...former, ...fields, name, updateTime };
    this.#stored.set(name, resource);
    return resource;
  }

  delete(name: string): void {
    this.#stored.delete(name);
  }
}
