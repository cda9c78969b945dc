import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { RefreshCw } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { StoredFile } from '#contract/files'
import { t } from '../../i18n/text.ts'
import { allUsers } from '../../people/user-queries.ts'
import { download } from '../../ui/device/download.ts'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { Spinner } from '../../ui/feedback/spinner.tsx'
import { kindOf } from '../../ui/file-icon.tsx'
import { IconButton } from '../../ui/input/icon-button.tsx'
import { useDebounced } from '../../ui/input/use-debounced.ts'
import { LazyDialog } from '../../ui/lazy/lazy-dialog.tsx'
import { ScrollSentinel } from '../../ui/list/scroll-sentinel.tsx'
import { FileFilters } from './file-filters.tsx'
import { FileMenu } from './file-menu.tsx'
import { type FileFilter, filesLike } from './file-queries.ts'
import { FileTile } from './file-tile.tsx'
import { groupByMonth } from './group-by-month.ts'

interface Props {
  /** The file to show first. */
  selectedId?: string | undefined
  /** The name of a file's conversation; undefined if it is for the whole workspace. */
  placeOf: (channelId: string) => string | undefined
  onMessage: (channelId: string, messageId: string) => void
  onClose: () => void
}

const lightbox = () => import('../../ui/dialog/lightbox.tsx')
const NO_FILTER: FileFilter = { name: '', kind: undefined }

/** The files that match the filter, page by page until the selected one is among them. */
function useFiles(filter: FileFilter, selectedId: string | undefined) {
  const name = useDebounced(filter.name.trim())
  const { data, error, isFetching, isFetchingNextPage, isPlaceholderData, hasNextPage, fetchNextPage, refetch } =
    useInfiniteQuery(filesLike({ name, kind: filter.kind }))
  const files = data?.pages.flat()
  const isFiltered = name !== '' || filter.kind !== undefined
  useEffect(() => {
    if (error) console.error('Failed to load files', error)
  }, [error])
  // The selected file may be on a later page.
  const isSelectedMissing =
    !isFiltered && selectedId !== undefined && files !== undefined && !files.some(({ id }) => id === selectedId)
  useEffect(() => {
    if (isSelectedMissing && hasNextPage && !isFetching) void fetchNextPage()
  }, [isSelectedMissing, hasNextPage, isFetching, fetchNextPage])
  return {
    files,
    isFiltered,
    error,
    isFetching,
    isPlaceholderData,
    canLoadMore: hasNextPage && !isFetchingNextPage,
    loadMore: () => void fetchNextPage(),
    refresh: () => void refetch({ cancelRefetch: false }),
  }
}

/** A dialog of all files I may read. Load it lazily. */
export function FilesPanel({ selectedId, placeOf, onMessage, onClose }: Props) {
  const [filter, setFilter] = useState(NO_FILTER)
  const { files, isFiltered, error, isFetching, isPlaceholderData, ...pages } = useFiles(filter, selectedId)
  const { data: people } = useQuery(allUsers)
  const [shown, setShown] = useState<StoredFile>()
  const [menu, setMenu] = useState<{ file: StoredFile; anchor: HTMLElement }>()

  const open = (file: StoredFile) => (isPreviewable(file) ? setShown(file) : void download(file))
  const tileOf = (file: StoredFile) => (
    <FileTile
      key={file.id}
      file={file}
      uploader={people?.find(({ id }) => id === file.userId)?.name}
      place={placeOf(file.channelId)}
      isSelected={file.id === selectedId}
      isMenuOpen={file.id === menu?.file.id}
      onOpen={() => open(file)}
      onMenu={(anchor) => setMenu({ file, anchor })}
    />
  )

  return (
    <Dialog
      title={t('files.title')}
      width="xl"
      tools={<RefreshButton isFetching={isFetching} hasFiles={files !== undefined} onClick={pages.refresh} />}
      onClose={onClose}
    >
      <FileFilters filter={filter} onChange={setFilter} />
      <div className={`min-h-32 px-6 pt-1 pb-6 max-wide:px-(--gutter) ${isPlaceholderData ? 'opacity-60' : ''}`}>
        {error && (
          <p role="alert" className="pb-3 text-danger text-ui">
            {t('files.loadFailed')}
          </p>
        )}
        {!files && !error && (
          <div className="py-8">
            <Spinner>{t('files.loading')}</Spinner>
          </div>
        )}
        {files?.length === 0 && <NoFiles isFiltered={isFiltered} />}
        {groupByMonth(files ?? []).map(({ title, files }) => (
          <section key={title ?? ''} aria-label={title} className="not-last:pb-4">
            {title && <h3 className="pt-1 pb-2 font-[600] text-faint text-meta">{title}</h3>}
            <ul className="grid grid-cols-2 gap-3 min-[560px]:grid-cols-3 wide:grid-cols-4 min-[960px]:grid-cols-5">
              {files.map(tileOf)}
            </ul>
          </section>
        ))}
        {pages.canLoadMore && <ScrollSentinel key={files?.length} onNear={pages.loadMore} />}
      </div>
      {menu && (
        <FileMenu
          {...menu}
          onOpen={isPreviewable(menu.file) ? () => open(menu.file) : undefined}
          onMessage={messageOf(menu.file)}
          onClose={() => setMenu(undefined)}
        />
      )}
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

  function messageOf({ channelId, messageId }: StoredFile) {
    return messageId === null ? undefined : () => onMessage(channelId, messageId)
  }
}

interface RefreshProps {
  isFetching: boolean
  hasFiles: boolean
  onClick: () => void
}

function RefreshButton({ isFetching, hasFiles, onClick }: RefreshProps) {
  return (
    <IconButton
      name={t('files.refresh')}
      title={t('files.refresh')}
      aria-busy={isFetching}
      aria-disabled={isFetching}
      onClick={onClick}
    >
      <RefreshCw size={16} className={isFetching && hasFiles ? 'animate-spin' : ''} />
    </IconButton>
  )
}

function NoFiles({ isFiltered }: { isFiltered: boolean }) {
  return (
    <div className="py-10 text-center text-ui">
      <p className="font-[600]">{isFiltered ? t('files.noneFound') : t('files.none')}</p>
      <p className="mt-1 text-soft">{isFiltered ? t('files.noneFoundHint') : t('files.noneHint')}</p>
    </div>
  )
}

const isPreviewable = ({ type, thumbnailUrl }: StoredFile) =>
  kindOf(type) === 'image' ? thumbnailUrl !== null : ['video', 'audio'].includes(kindOf(type))
