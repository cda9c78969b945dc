import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { REPEATED_BLOCK } from '../load/file-bytes.ts'
import { downloading, uploading } from '../load/file-jobs.ts'
import { compare, comparisonRow, type Load, type LoadForRound } from '../report/measure.ts'
import type { Row } from '../report/row.ts'
import type { Fixture } from '../setup/fixture.ts'
import { type Nginx, startNginx } from '../setup/nginx.ts'
import type { SignedUpUser } from '../setup/sign-up-people.ts'
import { measureMemory } from './file-memory.ts'

const MB = 1e6
const RANGE_BYTES = 65_536

/** File transfers through Parley, and through nginx if the machine has it. */
export async function* measureFiles(fixture: Fixture): AsyncGenerator<Row> {
  const { bench, pace, people } = fixture
  const { parley: port, cleanup } = bench
  const speaker = people[0] as SignedUpUser
  const nginx = await startNginx(cleanup)

  const row = async (name: string, ours: Load, theirs: (nginx: Nginx) => Load, size: number) => {
    const beside: Record<string, LoadForRound> = nginx ? { nginx: () => theirs(nginx) } : {}
    const row = comparisonRow(name, await compare(bench, pace, () => ours, beside))
    return size === RANGE_BYTES ? row : inMegabytes(row, size)
  }
  for (const [size, connections] of [
    [MB, 4],
    [100 * MB, 1],
  ] as const) {
    const name = `${size / MB} MB`
    const up = uploading(port, speaker.token, size, connections)
    const put = (to: Nginx): Load => ({
      ...up,
      port: to.port,
      method: 'PUT',
      path: `/up/${size}`,
      before: '',
      after: '',
    })
    yield await row(`upload of ${name}`, up, put, size)

    if (nginx) await writeRepeated(join(nginx.folder, name.replace(' ', '-')), size)
    const down = await downloading(port, speaker.token, size, connections * 2)
    const get = (from: Nginx): Load => ({ ...down, port: from.port, path: `/${name.replace(' ', '-')}` })
    yield await row(`download of ${name}`, down, get, size)
    if (size > MB) {
      const ranged = { part: RANGE_BYTES, connections: 8 }
      yield await row(
        `parts of 64 KB of ${name}`,
        { ...down, ...ranged },
        (from) => ({ ...get(from), ...ranged }),
        RANGE_BYTES,
      )
    }
  }
  yield* measureMemory(bench)
}

const inMegabytes = (row: Row, size: number): Row => {
  const scaled = (perSecond: number) => (perSecond * size) / MB
  const { ceiling } = row
  const rest = ceiling && { ceiling: { ...ceiling, value: scaled(ceiling.value) } }
  return { ...row, unit: 'MB/s', value: scaled(row.value), ...rest }
}

/** Uploads a file of `file-bytes.ts`. */
async function writeRepeated(path: string, size: number) {
  const file = await open(path, 'w')
  for (let left = size; left > 0; left -= REPEATED_BLOCK.length) await file.write(REPEATED_BLOCK.subarray(0, left))
  await file.close()
}
