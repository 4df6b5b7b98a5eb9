// Kills the process before its operation number KILLED_BEFORE on files or databases. For `node --import`, with a command that is
// to survive this.
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import process from 'node:process'
import Database from 'better-sqlite3'

type Operations = Record<string, (this: unknown, ...args: unknown[]) => unknown>

const KILLED_BEFORE = Number(process.env.KILLED_BEFORE)
let count = 0

function countCalls(operations: Operations, names: readonly string[]): void {
  for (const name of names) {
    const operation = operations[name]
    if (!operation) throw new Error(`There is no ${name}.`)
    operations[name] = function (...args) {
      count += 1
      if (count === KILLED_BEFORE) process.kill(process.pid, 'SIGKILL')
      return operation.apply(this, args)
    }
  }
}

// The types of both name each function with parameters of its own.
countCalls(fs as unknown as Operations, [
  ...['mkdirSync', 'mkdtempSync', 'linkSync', 'renameSync', 'fsyncSync', 'rmSync'],
])
countCalls(Database.prototype as unknown as Operations, ['backup', 'pragma', 'close'])
syncBuiltinESMExports()
