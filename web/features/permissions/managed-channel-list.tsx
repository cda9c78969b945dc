import { keepPreviousData, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Hash, Lock } from 'lucide-react'
import { useEffect, useState } from 'react'
import { can } from '#contract/can'
import { limits } from '#contract/limits'
import {
  archiveChannel,
  deleteArchivedChannel,
  listManagedChannels,
  listPrivateChannels,
  type ManagedChannel,
  restoreChannel,
} from '#contract/managed-channels'
import { call } from '../../api-client/api.ts'
import { explainFailure } from '../../api-client/failure-text.ts'
import { rich, t } from '../../i18n/text.ts'
import { useMe } from '../../me.tsx'
import { shownName } from '../../people/shown-name.ts'
import ConfirmDialog from '../../ui/dialog/confirm-dialog.tsx'
import { LoadError } from '../../ui/feedback/load-error.tsx'
import { shortDate } from '../../ui/format/short-date.ts'
import { Button } from '../../ui/input/button.tsx'
import { Checkbox } from '../../ui/input/checkbox.tsx'
import { SearchField } from '../../ui/input/search-field.tsx'
import { useDebounced } from '../../ui/input/use-debounced.ts'
import { SkeletonRows } from '../../ui/list/skeleton-rows.tsx'
import { Tag } from '../../ui/tag.tsx'

const LIST = 'managed-channels'
const managedChannels = (query: string) =>
  queryOptions({
    queryKey: [LIST, query] as const,
    queryFn: () => call(listManagedChannels, { query: query ? { query } : {} }),
    staleTime: 0,
  })

type Act = 'archive' | 'restore' | 'delete'
const calls: Record<Act, (channelId: string) => Promise<unknown>> = {
  archive: (channelId) => call(archiveChannel, { params: { channelId } }),
  restore: (channelId) => call(restoreChannel, { params: { channelId } }),
  delete: (channelId) => call(deleteArchivedChannel, { params: { channelId } }),
}

/** Archives, restores and deletes channels, and decides whether the private ones are listed. */
function useChannelChanges() {
  const client = useQueryClient()
  const onSettled = () => client.invalidateQueries({ queryKey: [LIST] })
  const onError = (failure: unknown) => console.error('Failed to change a channel:', failure)
  const change = useMutation({
    mutationFn: ({ act, id }: { act: Act; id: string }) => calls[act](id),
    onError,
    onSettled,
  })
  const listing = useMutation({
    mutationFn: (listsPrivate: boolean) => call(listPrivateChannels, { body: { listsPrivate } }),
    onError,
    onSettled,
  })
  return { change, listing }
}

/** The channels of the workspace, to archive, restore and delete them. */
export function ManagedChannelList() {
  const me = useMe()
  const [query, setQuery] = useState('')
  const [deleting, setDeleting] = useState<ManagedChannel>()
  const sought = useDebounced(query.trim())
  const { data, error, refetch } = useQuery({ ...managedChannels(sought), placeholderData: keepPreviousData })
  const { change, listing } = useChannelChanges()
  useEffect(() => {
    if (error) console.error('Failed to load channels:', error)
  }, [error])
  const failure = change.error ?? listing.error

  return (
    <>
      {can.setPermissions(me) && data && (
        <div className="mb-4">
          <Checkbox
            label={t('managed.listPrivate')}
            hint={t('managed.listPrivateHint')}
            checked={data.listsPrivate}
            onChange={({ target }) => listing.mutate(target.checked)}
          />
        </div>
      )}
      <SearchField
        label={t('managed.search')}
        value={query}
        onChange={setQuery}
        maxLength={limits.query}
        isFocused={false}
      />
      {failure && (
        <p role="alert" className="mt-2 text-danger text-ui">
          {explainFailure(t('managed.failed'), failure)}
        </p>
      )}
      <div className="mt-2 min-h-44">
        {!data && error && <LoadError text={t('managed.loadFailed')} retry={() => void refetch()} />}
        {!data && !error && <SkeletonRows />}
        {data?.channels.length === 0 && <p className="py-6 text-center text-soft text-ui">{t('managed.none')}</p>}
        <ul aria-label={t('managed.title')}>
          {data?.channels.map((channel) => (
            <ChannelLine
              key={channel.id}
              channel={channel}
              isBusy={change.isPending}
              onAct={(act) => (act === 'delete' ? setDeleting(channel) : change.mutate({ act, id: channel.id }))}
            />
          ))}
        </ul>
      </div>
      {deleting && (
        <DeleteQuestion
          name={deleting.name}
          onConfirm={() => {
            change.mutate({ act: 'delete', id: deleting.id })
            setDeleting(undefined)
          }}
          onClose={() => setDeleting(undefined)}
        />
      )}
    </>
  )
}

interface QuestionProps {
  name: string
  onConfirm: () => void
  onClose: () => void
}

function DeleteQuestion({ name, onConfirm, onClose }: QuestionProps) {
  return (
    <ConfirmDialog
      title={t('managed.deleteTitle')}
      action={t('managed.delete')}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      {rich('managed.deleteQuestion', { name: <bdi className="font-[600] text-ink">#{name}</bdi> })}
    </ConfirmDialog>
  )
}

interface LineProps {
  channel: ManagedChannel
  isBusy: boolean
  onAct: (act: Act) => void
}

function ChannelLine({ channel, isBusy, onAct }: LineProps) {
  const { name, kind, isGeneral, owner, members, createdAt, archivedAt } = channel
  const Icon = kind === 'private' ? Lock : Hash
  return (
    <li className="flex min-h-13 flex-wrap items-center gap-x-3 gap-y-1 border-line border-t py-2 text-ui first:border-t-0">
      <div className="min-w-0 flex-1 basis-56 leading-tight">
        <p className="flex items-center gap-1.5">
          <Icon size={16} className="flex-none text-soft" />
          <bdi className="truncate font-[550]" title={name}>
            {name}
          </bdi>
          {archivedAt && <Tag>{t('managed.archived')}</Tag>}
        </p>
        <p className="mt-0.5 text-meta text-soft">
          {owner
            ? t('managed.line', { members, owner: shownName(owner.name), date: shortDate(createdAt) })
            : t('managed.lineWithoutOwner', { members, date: shortDate(createdAt) })}
        </p>
      </div>
      {!isGeneral && (
        <p className="flex gap-2">
          <Button variant="line" disabled={isBusy} onClick={() => onAct(archivedAt ? 'restore' : 'archive')}>
            {archivedAt ? t('channels.archive.restore') : t('channels.archive.archive')}
          </Button>
          {archivedAt && (
            <Button variant="danger" disabled={isBusy} onClick={() => onAct('delete')}>
              {t('managed.delete')}
            </Button>
          )}
        </p>
      )}
    </li>
  )
}
