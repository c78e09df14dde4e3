import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { freePortList, LOOPBACK } from '../../emulator/ports.ts';
import { ROOT } from '../../emulator/root.ts';
import type { DeployedFunction } from '../../support/deployedFunction.ts';
import type { DeployedService } from '../../support/deployedService.ts';
import type { ResourceUsage } from './probe.ts';

/** A deployed function with measurements of its process. */
export interface MeasuredFunction extends DeployedFunction {
  /** The same with the processor time of one piece of work. */
  neededFor(work: () => Promise<unknown>): Promise<ResourceUsage>;
}

const PROBE = pathToFileURL(join(ROOT, 'test/service/attack/probe.ts')).href;

/** Serves a function with the platform's memory limit, and a probe in its process. */
export async function serveMeasured(
  service: DeployedService,
  functionId: string,
  env: Readonly<Record<string, string>> = {},
): Promise<MeasuredFunction> {
  const [port = 0] = await freePortList(1);
  const served = await service.serve(functionId, {
    // The heap that fits into an instance of 512 MiB.
    NODE_OPTIONS: `--max-old-space-size=448 --import ${PROBE}`,
    PROBE_PORT: String(port),
    ...env,
  });
  const needs = async () => JSON.parse(await text(connect(port, LOOPBACK))) as ResourceUsage;
  return {
    ...served,
    neededFor: async (work) => {
      const before = await needs();
      await work();
      const after = await needs();
      return { ...after, processorMs: after.processorMs - before.processorMs };
    },
  };
}
