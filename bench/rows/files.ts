import { join } from 'node:path'
import { writeRepeated } from '../load/file-bytes.ts'
import { downloading, uploading } from '../load/file-jobs.ts'
import { compare, comparisonRow, type Load, type LoadForRound } from '../report/measure.ts'
import { atLeast, inMegabytes, type Row } from '../report/row.ts'
import type { Fixture } from '../setup/fixture.ts'
import { type Nginx, startNginx } from '../setup/nginx.ts'
import type { SignedUpUser } from '../setup/sign-up-people.ts'
import { measureMemory } from './file-memory.ts'
import { measureProxied } from './proxied-files.ts'

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
      // Parley does so itself.
      flush: join(to.folder, 'up', String(size)),
    })
    const uploaded = await row(`upload of ${name}`, up, put, size)
    yield nginx && size > MB ? { ...uploaded, aim: atLeast(0.6) } : uploaded

    if (nginx) await writeRepeated(join(nginx.folder, name.replace(' ', '-')), size)
    const down = await downloading(port, speaker.token, size, connections * 2)
    const get = (from: Nginx): Load => ({ ...down, port: from.port, path: `/${name.replace(' ', '-')}` })
    const downloaded = await row(`download of ${name}`, down, get, size)
    yield nginx ? { ...downloaded, aim: atLeast(size > MB ? 0.6 : 0.3) } : downloaded
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
  yield* measureProxied(bench, pace)
  yield* measureMemory(bench)
}
