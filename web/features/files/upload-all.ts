import { deleteFile, type StoredFile } from '#contract/files'
import { call } from '../../api-client/api.ts'
import { upload } from '../../api-client/upload-file.ts'

interface Options {
  channelId: string | undefined
  control: AbortController
  onProgress: (index: number, share: number) => void
}

/** Uploads all files or none: where one fails the others are called off, and those that came through are taken back. */
export async function uploadAll(files: File[], { channelId, control, onProgress }: Options): Promise<void> {
  const { signal } = control
  const done: StoredFile[] = []
  const one = async (file: File, index: number) => {
    const report = (share: number) => onProgress(index, share)
    done.push(await upload(file, { signal, onProgress: report, ...(channelId && { channelId }) }))
  }
  let failure: unknown
  const callOff = (error: unknown) => {
    failure ??= error
    control.abort()
  }
  await Promise.all(files.map((file, index) => one(file, index).catch(callOff)))
  if (failure === undefined) return
  await Promise.all(done.map(({ id }) => takeBack(id)))
  throw failure
}

const takeBack = (fileId: string) =>
  call(deleteFile, { params: { fileId } }).catch((error) =>
    console.error('A file of an upload that failed could not be taken back:', error),
  )
