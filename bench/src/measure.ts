import type { SignedIn } from './account.ts'
import type { Plan } from './arguments.ts'
import { type Figures, openRunner, type Runner } from './runner.ts'
import type { Scenario } from './scenarios.ts'
import { BASELINE, type Target } from './targets.ts'

/**
 * Measures a scenario: short windows of all targets alternately, so that whatever else the machine does at the time is
 * borne by all of them alike.
 */
export async function measure(
  scenario: Scenario,
  connections: number,
  targets: ReadonlyMap<Target, SignedIn>,
  { rounds, window }: Plan,
  tick: () => void,
): Promise<Figures[]> {
  const runners: Runner[] = []
  for (const [target, signedIn] of targets) {
    runners.push(await openRunner(target, signedIn, scenario, connections))
  }
  compareBytes(scenario, runners)
  for (let round = 0; round <= rounds; round += 1) {
    for (const runner of runners) await runner.window(window, round > 0)
    tick()
  }
  for (const runner of runners) await runner.close()
  return runners.map((runner) => runner.figures())
}

/** Throws unless product and baseline send as many bytes. Names of tags that are new to the baseline make a small difference. */
function compareBytes({ name, tolerance = 0.01 }: Scenario, runners: readonly Runner[]): void {
  for (const { target, bytes } of runners) {
    const baseline = runners.find(
      (runner) =>
        runner.target.name === BASELINE &&
        runner.target.items === target.items &&
        runner.target.account === target.account,
    )
    if (baseline && Math.abs(bytes / baseline.bytes - 1) < tolerance) continue
    throw new Error(`${name}: ${target.name} sends ${bytes} bytes, the baseline ${baseline?.bytes}.`)
  }
}
