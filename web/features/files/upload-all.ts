import { deleteFile, type StoredFile } from '#contract/files'
import { call } from '../../api-client/api.ts'
import { sendFile } from '../../api-client/upload-file.ts'

interface Options {
  channelId: string | undefined
  control: AbortController
  onProgress: (index: number, share: number) => void
}

/** Uploads all files or none: if one fails or `control` aborts, the others are aborted, and those already stored deleted. */
export async function uploadAll(files: File[], { channelId, control, onProgress }: Options): Promise<void> {
  const { signal } = control
  const done: StoredFile[] = []
  const uploadOne = async (file: File, index: number) => {
    const report = (share: number) => onProgress(index, share)
    done.push(await sendFile(file, { signal, onProgress: report, ...(channelId && { channelId }) }))
  }
  let failure: unknown
  const abortAll = (error: unknown) => {
    failure ??= error
    control.abort()
  }
  await Promise.all(files.map((file, index) => uploadOne(file, index).catch(abortAll)))
  if (!signal.aborted) return
  await Promise.all(done.map(({ id }) => deleteUpload(id)))
  throw failure ?? signal.reason
}

const deleteUpload = (fileId: string) =>
  call(deleteFile, { params: { fileId } }).catch((error) =>
    console.error('Failed to delete a file of a failed upload:', error),
  )
