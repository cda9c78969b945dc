import { join } from 'node:path'
import { writeRepeated } from '../load/file-bytes.ts'
import { downloading, uploading } from '../load/file-jobs.ts'
import { compare, comparisonRow, type Load, type Pace, runLoad } from '../report/measure.ts'
import { atLeast, inMegabytes, type Row } from '../report/row.ts'
import { startNginx } from '../setup/nginx.ts'
import { type SignedUpUser, signUp } from '../setup/sign-up-people.ts'
import { startParley, temporaryFolder } from '../setup/start-parley.ts'
import type { Workbench } from '../setup/workbench.ts'

const MB = 1e6
/** So short that a job has a single pass. */
const ONE_PASS_SECONDS = 0.001

/** Downloads through an nginx that sends the bytes after Parley has checked the request, compared with nginx alone. */
export async function* measureProxied(bench: Workbench, pace: Pace): AsyncGenerator<Row> {
  const dataDir = await temporaryFolder(bench.cleanup)
  const settings = { DATA_DIR: dataDir, DATABASE_URL: '', TRUST_PROXY: 'loopback', X_ACCEL_REDIRECT: '/stored-files/' }
  const parley = await startParley(bench.cleanup, settings)
  const nginx = await startNginx(bench.cleanup, { port: parley.port, dataDir })
  if (!nginx) return
  const [{ token }] = (await signUp(parley.port, 1, parley.ownerCode?.())) as [SignedUpUser]
  // Its processes are not part of the workbench.
  const own = { ...bench, cpu: () => undefined }
  for (const [size, connections] of [
    [MB, 8],
    [100 * MB, 2],
  ] as const) {
    await runLoad(bench, uploading(parley.port, token, size, 1), ONE_PASS_SECONDS)
    const down: Load = { ...(await downloading(parley.port, token, size, connections)), port: nginx.port }
    const alone: Load = { ...down, path: `/${size}` }
    await writeRepeated(join(nginx.folder, String(size)), size)
    const name = `download of ${size / MB} MB whose bytes nginx sends`
    const compared = await compare(own, pace, () => down, { 'nginx alone': () => alone })
    yield inMegabytes(comparisonRow(name, compared, size > MB ? atLeast(0.9) : undefined), size)
  }
  await parley.stop()
}
