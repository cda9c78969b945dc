import type { Downloads, Uploads } from './jobs.ts'

const MULTIPART_BOUNDARY = 'parley-bench'

type WithoutDuration<J> = Omit<J, 'seconds'>

/** Uploads files of `file-bytes.ts` to the public bucket. */
export const uploading = (
  port: number,
  token: string,
  size: number,
  connections: number,
): WithoutDuration<Uploads> => ({
  kind: 'uploads',
  port,
  connections,
  method: 'POST',
  path: '/api/files/upload',
  headers: { authorization: `Bearer ${token}`, 'content-type': `multipart/form-data; boundary=${MULTIPART_BOUNDARY}` },
  before: [
    `--${MULTIPART_BOUNDARY}`,
    'content-disposition: form-data; name="file"; filename="bench.bin"',
    'content-type: application/octet-stream',
    '\r\n',
  ].join('\r\n'),
  after: `\r\n--${MULTIPART_BOUNDARY}--\r\n`,
  size,
})

/** Downloads the newest file. @throws Error if it has another size */
export async function downloading(
  port: number,
  token: string,
  size: number,
  connections: number,
): Promise<WithoutDuration<Downloads>> {
  const headers = { authorization: `Bearer ${token}` }
  const answer = await fetch(`http://127.0.0.1:${port}/api/files?limit=1`, { headers })
  const [file] = (await answer.json()) as { url: string; size: number }[]
  if (file?.size !== size) throw new Error(`a file of ${size} bytes was uploaded; the last has ${file?.size}`)
  return { kind: 'downloads', port, connections, path: file.url, headers, size }
}
