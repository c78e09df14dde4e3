/** Anything that a project has: a function, an index, a release. */
export interface Resource {
  /** `projects/P/databases/(default)` */
  readonly name: string;
  readonly updateTime: string;
}

/** Google's error response. */
export class Failure extends Error {
  readonly code: number;
  readonly status: string;

  constructor(code: number, status: string, message: string) {
    super(message);
    this.code = code;
    this.status = status;
  }
}

/** All resources of a project by name, with the fields that were sent. */
export class Resources {
  readonly #stored = new Map<string, Resource>();

  /** The resource of this name, which must exist. */
  get(name: string): Resource {
    const resource = this.#stored.get(name);
    if (resource === undefined) throw new Failure(404, 'NOT_FOUND', `${name} does not exist.`);
    return resource;
  }

  /** The resources with such a name, the newest first: `-` is any segment. */
  list(name: string): readonly Resource[] {
    const wanted = name.split('/');
    const found = [...this.#stored.values()].filter((resource) => {
      const segments = resource.name.split('/');
      return (
        segments.length === wanted.length &&
        wanted.every((segment, index) => segment === '-' || segment === segments[index])
      );
    });
    return found.toReversed();
  }

  /** Creates a resource, or changes the fields that are given. */
  put(name: string, fields: object): Resource {
    const former = this.#stored.get(name);
    const resource = { ...former, ...fields, name, updateTime: new Date().toISOString() };
    this.#stored.set(name, resource);
    return resource;
  }
}
