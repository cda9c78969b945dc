import type { OnProgress, Progress } from '../../server/backup/progress.ts'

const REDRAW_INTERVAL_MS = 100
const LOG_INTERVAL_MS = 10_000
const BAR_WIDTH = 24
const PARTS = { database: 'Database', files: 'Files' } as const

/** Shows progress as a bar on a terminal, and as a line every ten seconds elsewhere. */
export function showProgress(stream: Pick<NodeJS.WriteStream, 'isTTY' | 'columns' | 'write'> = process.stdout): {
  onProgress: OnProgress
  end(): void
} {
  const isTerminal = stream.isTTY === true
  let shownAt = isTerminal ? Number.NEGATIVE_INFINITY : performance.now()
  let shown: Progress['part'] | undefined
  const clear = () => isTerminal && shown && stream.write('\r\x1b[K')
  return {
    onProgress(progress) {
      const isNext = isTerminal && progress.part !== shown
      const interval = isTerminal ? REDRAW_INTERVAL_MS : LOG_INTERVAL_MS
      if (!isNext && performance.now() - shownAt < interval) return
      shownAt = performance.now()
      shown = progress.part
      stream.write(isTerminal ? `\r\x1b[K${drawBar(progress, stream.columns || 80)}` : `${describe(progress)}\n`)
    },
    end: () => void clear(),
  }
}

const percentOf = ({ done, total }: Progress) => (total === 0 ? 100 : Math.floor((done / total) * 100))

function drawBar(progress: Progress, columns: number): string {
  const percent = percentOf(progress)
  const filled = Math.round((percent / 100) * BAR_WIDTH)
  const bar = '█'.repeat(filled) + '░'.repeat(BAR_WIDTH - filled)
  const line = `${PARTS[progress.part].padEnd(9)} ${bar} ${String(percent).padStart(3)} %  ${detailsOf(progress)}`
  // A line that wraps can't be redrawn.
  return line.slice(0, columns - 1)
}

const describe = (progress: Progress) => `${PARTS[progress.part]}: ${percentOf(progress)} %, ${detailsOf(progress)}`

const detailsOf = ({ item, done, total }: Progress) => item ?? `${describeBytes(done)} of ${describeBytes(total)}`

export function describeBytes(bytes: number): string {
  const units = ['bytes', 'KB', 'MB', 'GB', 'TB']
  const power = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10))
  return `${(bytes / 1024 ** power).toFixed(power === 0 ? 0 : 1)} ${units[power]}`
}
