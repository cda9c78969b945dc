import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import S3rver from 's3rver'
import { atEnd } from '../support/cleanup.ts'

/** A real S3 server on loopback with one bucket; removed when the test file ends. */
export async function startBucket() {
  const directory = await mkdtemp(join(tmpdir(), 'parley-s3-'))
  const bucket = 'parley'
  const open = (port: number) =>
    consistent(
      new S3rver({ address: '127.0.0.1', port, directory, silent: true, configureBuckets: [{ name: bucket }] }),
    )
  let server = open(0)
  const { port } = await server.run()
  atEnd(async () => {
    await server.close().catch(() => {})
    await rm(directory, { recursive: true, force: true })
  })
  const settings = (endpoint = `http://127.0.0.1:${port}`) => ({
    S3_ENDPOINT: endpoint,
    S3_BUCKET: bucket,
    S3_ACCESS_KEY_ID: 'S3RVER',
    S3_SECRET_ACCESS_KEY: 'S3RVER',
  })
  return {
    settings,
    stop: () => server.close(),
    /** Restarts at the same address with the same contents. */
    start: async () => {
      server = open(port)
      await server.run()
    },
  }
}

/** S3rver answers a PUT before the bytes are in its file, so that an immediate HEAD returns too small a size; S3 never does. */
function consistent(server: S3rver) {
  const { store } = server
  const putObject = store.putObject.bind(store)
  store.putObject = async (object) => {
    const stored = await putObject(object)
    const path = store.getResourcePath(object.bucket, object.key, 'object')
    const isIncomplete = () =>
      stat(path).then(
        ({ size }) => size < stored.size,
        // Deleted in the meantime.
        () => false,
      )
    while (await isIncomplete()) await setTimeout(1)
    return stored
  }
  return server
}
