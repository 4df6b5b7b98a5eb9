const WIDTH = 30

/**
 * A progress bar. If the output is not a terminal, it prints only the final state.
 * @param {string} label
 * @param {number} total
 */
export function createProgressBar(label, total) {
  const start = performance.now()
  let shown = -1
  return {
    /** @param {number} done */
    show(done) {
      const percent = Math.floor((done / total) * 100)
      if (percent === shown) return
      shown = percent
      if (process.stdout.isTTY) process.stdout.write(`\r${line(label, done, total)}`)
    },
    finish() {
      const seconds = ((performance.now() - start) / 1000).toFixed(1)
      process.stdout.write(
        `${process.stdout.isTTY ? '\r' : ''}${line(label, total, total)} за ${seconds} с\n`,
      )
    },
  }
}

/** @param {string} label @param {number} done @param {number} total */
function line(label, done, total) {
  const full = total === 0 ? WIDTH : Math.round((done / total) * WIDTH)
  return `${label} ${'█'.repeat(full)}${'░'.repeat(WIDTH - full)} ${done} из ${total}`
}
