import { Upload } from 'lucide-react'
import { type ChangeEvent, useEffect, useRef, useState } from 'react'
import { isRefusal } from '../../api-client/api.ts'
import { reasonText } from '../../api-client/failure-text.ts'
import { sendArchive } from '../../api-client/upload-file.ts'
import { numberFormat } from '../../i18n/format.ts'
import { t } from '../../i18n/text.ts'
import { Button } from '../../ui/input/button.tsx'
import { useFileDrop } from '../../ui/input/file-drop.ts'
import { Progress } from './progress.tsx'

interface Running {
  name: string
  share: number
  abort: () => void
}

/** A place to drop an archive, which is uploaded immediately. */
export function ImportUpload({ onUploaded }: { onUploaded: () => void }) {
  const input = useRef<HTMLInputElement>(null)
  const [running, setRunning] = useState<Running>()
  const [problem, setProblem] = useState<string>()
  const { isOver, target } = useFileDrop(([file]) => file && !running && void upload(file))
  const abort = useRef<AbortController>(undefined)
  useEffect(() => () => abort.current?.abort(), [])

  async function upload(file: File) {
    const control = new AbortController()
    abort.current = control
    setProblem(undefined)
    setRunning({ name: file.name, share: 0, abort: () => control.abort() })
    const onProgress = (share: number) => setRunning((now) => now && { ...now, share })
    try {
      await sendArchive(file, { signal: control.signal, onProgress })
      onUploaded()
    } catch (error) {
      if (control.signal.aborted) return
      console.error('Failed to upload archive:', error)
      setProblem((isRefusal(error) && reasonText(error)) || t('imports.actFailed'))
    } finally {
      setRunning(undefined)
    }
  }

  function onChange({ currentTarget }: ChangeEvent<HTMLInputElement>) {
    const [file] = currentTarget.files ?? []
    // Lets the owner choose the same file again.
    if (file) void upload(file)
    currentTarget.value = ''
  }

  if (running)
    return (
      <Progress
        title={t('imports.uploading', { name: running.name })}
        detail={t('imports.uploaded', { percent: numberFormat({ style: 'percent' }).format(running.share) })}
        value={running.share}
        max={1}
        action={<Button onClick={running.abort}>{t('imports.cancel')}</Button>}
      />
    )
  return (
    <>
      <div
        {...target}
        className={`grid place-items-center gap-1 rounded-l border border-dashed px-4 py-10 text-center text-ui transition-colors ${isOver ? 'border-pine bg-pine-wash' : 'border-line-control'}`}
      >
        <Upload size={20} className={isOver ? 'text-pine' : 'text-faint'} />
        <p className="mt-1 font-[550]">{t('imports.drop')}</p>
        <p className="text-meta text-soft">{t('imports.dropHint')}</p>
        <Button variant="pine" className="mt-3" onClick={() => input.current?.click()}>
          {t('imports.choose')}
        </Button>
        <input ref={input} type="file" hidden aria-label={t('imports.choose')} onChange={onChange} />
      </div>
      <p className="mt-2 text-faint text-meta">{t('imports.onServer')}</p>
      {problem && (
        <p role="alert" className="mt-2 text-danger text-ui">
          {problem}
        </p>
      )}
    </>
  )
}
