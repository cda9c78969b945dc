import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { RefreshCw } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { StoredFile } from '#contract/files'
import { allUsers } from '../../people/user-queries.ts'
import { download } from '../../ui/device/download.ts'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { Spinner } from '../../ui/feedback/spinner.tsx'
import { kindOf } from '../../ui/file-icon.tsx'
import { IconButton } from '../../ui/input/icon-button.tsx'
import { LazyDialog } from '../../ui/lazy/lazy-dialog.tsx'
import { ScrollSentinel } from '../../ui/list/scroll-sentinel.tsx'
import { allFiles } from './file-queries.ts'
import { FileTile } from './file-tile.tsx'

interface Props {
  /** The file to show first. */
  selectedId?: string | undefined
  onClose: () => void
}

const lightbox = () => import('../../ui/dialog/lightbox.tsx')

/** A dialog of all files I may read. Load it lazily. */
export default function FilesPanel({ selectedId, onClose }: Props) {
  const { data, error, isFetching, isFetchingNextPage, hasNextPage, fetchNextPage, refetch } =
    useInfiniteQuery(allFiles)
  const files = data?.pages.flat()
  const { data: people } = useQuery(allUsers)
  const [shown, setShown] = useState<StoredFile>()
  useEffect(() => {
    if (error) console.error('Failed to load files', error)
  }, [error])
  // The selected file may be on a later page.
  const isSelectedMissing =
    selectedId !== undefined && files !== undefined && !files.some(({ id }) => id === selectedId)
  useEffect(() => {
    if (isSelectedMissing && hasNextPage && !isFetching) void fetchNextPage()
  }, [isSelectedMissing, hasNextPage, isFetching, fetchNextPage])

  const open = (file: StoredFile) => (isPreviewable(file) ? setShown(file) : void download(file))

  return (
    <Dialog
      title="Files"
      width="xl"
      tools={
        <IconButton
          name="Refresh files"
          title="Refresh files"
          aria-busy={isFetching}
          disabled={isFetching}
          onClick={() => void refetch()}
        >
          <RefreshCw size={16} className={isFetching && files ? 'animate-spin' : ''} />
        </IconButton>
      }
      onClose={onClose}
    >
      <div className="min-h-32 px-6 pt-1 pb-6 max-wide:px-(--gutter)">
        {error && (
          <p role="alert" className="pb-3 text-danger text-ui">
            Failed to load files
          </p>
        )}
        {!files && !error && (
          <div className="py-8">
            <Spinner>Loading files...</Spinner>
          </div>
        )}
        {files?.length === 0 && <p className="py-10 text-center text-soft text-ui">No files uploaded yet</p>}
        <ul className="grid grid-cols-2 gap-3 min-[560px]:grid-cols-3 wide:grid-cols-4 min-[960px]:grid-cols-5">
          {files?.map((file) => (
            <FileTile
              key={file.id}
              file={file}
              uploader={people?.find(({ id }) => id === file.userId)?.name}
              isSelected={file.id === selectedId}
              onOpen={() => open(file)}
            />
          ))}
        </ul>
        {hasNextPage && !isFetchingNextPage && (
          <ScrollSentinel key={files?.length} onNear={() => void fetchNextPage()} />
        )}
      </div>
      {shown && (
        <LazyDialog
          load={lightbox}
          items={(files ?? []).filter(isPreviewable)}
          startId={shown.id}
          onClose={() => setShown(undefined)}
        />
      )}
    </Dialog>
  )
}

const isPreviewable = ({ type, thumbnailUrl }: StoredFile) =>
  kindOf(type) === 'image' ? thumbnailUrl !== null : ['video', 'audio'].includes(kindOf(type))
