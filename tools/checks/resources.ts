/** What Google's APIs store of a deploy, as far as the checks and the deploy tests read it. */

/** A function (https://cloud.google.com/functions/docs/reference/rest/v2/projects.locations.functions). */
export interface CloudFunction {
  /** `projects/P/locations/us-central1/functions/flash-listByArtist` */
  readonly name: string;
  readonly state: string;
  readonly updateTime: string;
  /** Absent where no tool has set any. */
  readonly labels?: Readonly<Record<string, string>>;
  readonly serviceConfig: {
    /** The Cloud Run service: `projects/P/locations/us-central1/services/flash-listbyartist` */
    readonly service: string;
    readonly environmentVariables: Readonly<Record<string, string>>;
    readonly secretEnvironmentVariables?: readonly object[];
  };
}

/** A version of a Hosting site: its files and its configuration. */
export interface HostingVersion {
  /** The hashes of the files by path: `/index.html`. */
  readonly files: Readonly<Record<string, string>>;
  readonly config: {
    readonly headers?: readonly {
      readonly glob: string;
      readonly headers: Readonly<Record<string, string>>;
    }[];
    /** To Cloud Run services, such as those of functions. */
    readonly rewrites?: readonly {
      readonly glob?: string;
      readonly run?: { readonly serviceId: string; readonly region?: string };
    }[];
  };
}
