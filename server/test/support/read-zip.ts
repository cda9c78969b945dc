import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { type Entry, fromBuffer, type ZipFile } from 'yauzl'

const open = promisify<Buffer, object, ZipFile>(fromBuffer)

/** The files of an archive, by path. */
export async function readZip(bytes: Buffer): Promise<Map<string, Buffer>> {
  const zip = await open(bytes, { lazyEntries: true })
  const files = new Map<string, Buffer>()
  const openStream = promisify(zip.openReadStream.bind(zip)) as (entry: Entry) => Promise<NodeJS.ReadableStream>
  return new Promise((resolve, reject) => {
    zip.on('entry', (entry: Entry) => {
      openStream(entry)
        .then((stream) => buffer(stream))
        .then((content) => {
          files.set(entry.fileName, content)
          zip.readEntry()
        }, reject)
    })
    zip.on('end', () => resolve(files))
    zip.on('error', reject)
    zip.readEntry()
  })
}
