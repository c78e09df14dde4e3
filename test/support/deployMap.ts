import * as deployMap from '../../functions/src/index.ts';
import type { Endpoint } from '../../functions/src/http/declaration.ts';

/** An endpoint as the deploy map names it. */
export interface DeployedEndpoint {
  /** `flash` */
  readonly group: string;
  /** `listByArtist` */
  readonly name: string;
  /** The name of the deployed function: `flash-listByArtist`. */
  readonly functionId: string;
  readonly endpoint: Endpoint;
}

/** Every endpoint of the service. */
export const deployedEndpoints: readonly DeployedEndpoint[] = Object.entries(deployMap).flatMap(
  ([group, endpoints]) =>
    Object.entries(endpoints).map(([name, endpoint]) => ({
      group,
      name,
      functionId: `${group}-${name}`,
      endpoint,
    })),
);
