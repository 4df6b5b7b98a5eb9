import type { SignedIn } from './account.ts'
import type { Plan } from './arguments.ts'
import { type Contestant, YARDSTICK } from './contestants.ts'
import { type Figures, type Lane, openLane } from './lane.ts'
import type { Scenario } from './scenarios.ts'

/**
 * Measures a scenario: short windows of all contestants in turn, so that whatever else the machine does at the time is
 * borne by all of them alike.
 */
export async function measure(
  scenario: Scenario,
  connections: number,
  contestants: ReadonlyMap<Contestant, SignedIn>,
  { rounds, window }: Plan,
  tick: () => void,
): Promise<Figures[]> {
  const lanes: Lane[] = []
  for (const [contestant, signedIn] of contestants) {
    lanes.push(await openLane(contestant, signedIn, scenario, connections))
  }
  compareBytes(scenario, lanes)
  for (let round = 0; round <= rounds; round += 1) {
    for (const lane of lanes) await lane.window(window, round > 0)
    tick()
  }
  for (const lane of lanes) await lane.close()
  return lanes.map((lane) => lane.figures())
}

/** A yardstick that sends something else would measure nothing. Names of tags that are new to it make a small difference. */
function compareBytes({ name, tolerance = 0.01 }: Scenario, lanes: readonly Lane[]): void {
  for (const { contestant, bytes } of lanes) {
    const yardstick = lanes.find(
      (lane) =>
        lane.contestant.name === YARDSTICK &&
        lane.contestant.items === contestant.items &&
        lane.contestant.account === contestant.account,
    )
    if (yardstick && Math.abs(bytes / yardstick.bytes - 1) < tolerance) continue
    throw new Error(`${name}: ${contestant.name} answers ${bytes} bytes, the yardstick ${yardstick?.bytes}.`)
  }
}
