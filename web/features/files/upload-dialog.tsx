import { useQuery, useQueryClient } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { type SubmitEvent, useEffect, useId, useRef, useState } from 'react'
import { v4 as uuid } from 'uuid'
import { uploadFailureText } from '../../api-client/failure-text.ts'
import { uploadLimits } from '../../api-client/upload-limits.ts'
import { confirmBeforeUnload } from '../../ui/device/before-leaving.ts'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { FileIcon } from '../../ui/file-icon.tsx'
import { fileSize } from '../../ui/format/file-size.ts'
import { Button } from '../../ui/input/button.tsx'
import { IconButton } from '../../ui/input/icon-button.tsx'
import { DropZone } from './drop-zone.tsx'
import { allFiles } from './file-queries.ts'
import { partitionFiles } from './refused-files.ts'
import { uploadAll } from './upload-all.ts'

interface Props {
  /** The open conversation, if I may upload files to it. */
  conversation?: { channelId: string; title: string } | undefined
  onClose: () => void
}

interface Chosen {
  key: string
  file: File
  /** From 0 to 1. */
  share: number
}

/** Uploads files, all or none, for everyone in the workspace or for the open conversation. */
export function UploadDialog({ conversation, onClose }: Props) {
  const client = useQueryClient()
  const { data: uploadLimit } = useQuery(uploadLimits)
  const [chosen, setChosen] = useState<Chosen[]>([])
  const [channelId, setChannelId] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const whereId = useId()
  const upload = useRef<AbortController>(undefined)
  useEffect(() => () => upload.current?.abort(), [])
  const isSomeChosen = chosen.length > 0
  useEffect(() => confirmBeforeUnload(() => isSomeChosen), [isSomeChosen])

  function add(files: File[]) {
    const { accepted, problem } = partitionFiles(files, chosen.length, uploadLimit?.size)
    setProblem(problem)
    setChosen((before) => [...before, ...accepted.map((file) => ({ key: uuid(), file, share: 0 }))])
  }

  async function submit(event: SubmitEvent) {
    event.preventDefault()
    if (isBusy) return
    if (chosen.length === 0) return setProblem('Please select at least one file to upload')
    const control = new AbortController()
    upload.current = control
    setBusy(true)
    setProblem(undefined)
    const onProgress = (index: number, share: number) =>
      setChosen((before) => before.map((entry) => (entry.key === chosen[index]?.key ? { ...entry, share } : entry)))
    try {
      await uploadAll(
        chosen.map(({ file }) => file),
        { channelId, control, onProgress },
      )
      void client.invalidateQueries({ queryKey: allFiles.queryKey })
      onClose()
    } catch (error) {
      setBusy(false)
      setChosen((before) => before.map((entry) => ({ ...entry, share: 0 })))
      if (upload.current !== control) return
      console.error('Failed to upload files. Please try again.', error)
      setProblem(uploadFailureText(error, channelId === undefined))
    }
  }

  function cancel() {
    upload.current?.abort()
    onClose()
  }

  return (
    <Dialog
      title="Upload Files"
      action={
        <Button type="submit" variant="pine" disabled={isBusy || chosen.length === 0}>
          {isBusy ? 'Uploading...' : 'Upload'}
        </Button>
      }
      onSubmit={submit}
      onClose={cancel}
    >
      <div className="flex flex-col gap-3 px-6 pt-2 pb-4 max-wide:px-(--gutter)">
        <DropZone disabled={isBusy} onFiles={add} />
        {chosen.length > 0 && (
          <ul className="-mx-2 max-h-60 overflow-y-auto overscroll-contain">
            {chosen.map((entry) => (
              <ChosenFile
                key={entry.key}
                chosen={entry}
                isBusy={isBusy}
                onRemove={() => setChosen((before) => before.filter(({ key }) => key !== entry.key))}
              />
            ))}
          </ul>
        )}
        {conversation && (
          <div className="flex items-center gap-2 text-ui">
            <label htmlFor={whereId} className="flex-none text-soft">
              For
            </label>
            <select
              id={whereId}
              disabled={isBusy}
              value={channelId ?? ''}
              onChange={({ target }) => setChannelId(target.value || undefined)}
              className="field-edge h-8 min-w-0 flex-1 rounded-s bg-paper px-2 pointer-coarse:h-11"
            >
              <option value="">Everyone in the workspace</option>
              <option value={conversation.channelId}>{conversation.title}</option>
            </select>
          </div>
        )}
        {problem && (
          <p role="alert" className="text-danger text-ui [overflow-wrap:anywhere]">
            {problem}
          </p>
        )}
      </div>
    </Dialog>
  )
}

function ChosenFile({ chosen, isBusy, onRemove }: { chosen: Chosen; isBusy: boolean; onRemove: () => void }) {
  const { file, share } = chosen
  return (
    <li className="flex h-11 items-center gap-3 rounded-m px-2">
      <span className="grid size-8 flex-none place-items-center rounded-s bg-pine-wash text-pine">
        <FileIcon type={file.type} size={16} />
      </span>
      <span className="min-w-0 flex-1">
        <bdi className="block truncate font-[550] text-ui" title={file.name}>
          {file.name}
        </bdi>
        {isBusy ? (
          <progress
            aria-label={`Uploading ${file.name}`}
            value={share}
            className="progress-line mt-1 block h-1 w-full"
          />
        ) : (
          <span className="block text-faint text-micro">{fileSize(file.size)}</span>
        )}
      </span>
      {!isBusy && (
        <IconButton name={`Remove ${file.name}`} onClick={onRemove}>
          <X size={16} />
        </IconButton>
      )}
    </li>
  )
}
