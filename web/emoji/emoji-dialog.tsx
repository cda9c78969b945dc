import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Plus, Trash2, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { can } from '#contract/can'
import { type CustomEmoji, removeEmoji } from '#contract/custom-emoji'
import { limits } from '#contract/limits'
import { call } from '../api-client/api.ts'
import { logFailure } from '../api-client/failure-text.ts'
import { rich, t } from '../i18n/text.ts'
import { useMe } from '../me.tsx'
import ConfirmDialog from '../ui/dialog/confirm-dialog.tsx'
import { Dialog } from '../ui/dialog/dialog.tsx'
import { LoadError } from '../ui/feedback/load-error.tsx'
import { showToast } from '../ui/feedback/toast.tsx'
import { IconButton } from '../ui/input/icon-button.tsx'
import { SearchField } from '../ui/input/search-field.tsx'
import { ScrollSentinel } from '../ui/list/scroll-sentinel.tsx'
import { SkeletonRows } from '../ui/list/skeleton-rows.tsx'
import { AddEmoji } from './add-emoji.tsx'
import { AliasDialog } from './alias-dialog.tsx'
import { allEmoji, refetchEmoji } from './custom-emoji.ts'
import { EmojiPicture } from './emoji-sign.tsx'

/** A search is offered from this many on. */
const MANY = 8
/** Rows that are rendered at once; there may be thousands. */
const PAGE_SIZE = 60

/** The emoji of the workspace: everyone sees them, and those who may, add and remove some. Lazy-loaded. */
export default function EmojiDialog({ onClose }: { onClose: () => void }) {
  const me = useMe()
  const [query, setQuery] = useState('')
  const { data: emoji, error, refetch } = useQuery(allEmoji)
  useEffect(() => {
    if (error) console.error('Failed to load emoji:', error)
  }, [error])
  const isMatch = ({ name, aliases }: CustomEmoji) =>
    [name, ...aliases].some((it) => it.includes(query.trim().toLowerCase().replaceAll(':', '')))
  const shown = emoji?.filter(isMatch)
  return (
    <Dialog title={t('emoji.manage.title')} hasList onClose={onClose}>
      <div className="flex min-h-0 flex-1 flex-col gap-4 px-6 pb-5 max-wide:px-(--gutter)">
        {can.addEmoji(me) && <AddEmoji />}
        {emoji && emoji.length >= MANY && (
          <SearchField
            label={t('emoji.search')}
            value={query}
            onChange={setQuery}
            maxLength={limits.query}
            isFocused={false}
          />
        )}
        {!emoji && error && <LoadError text={t('emoji.manage.loadFailed')} retry={() => refetch()} isRetried />}
        {!emoji && !error && <SkeletonRows />}
        {emoji?.length === 0 && (
          <p className="text-pretty text-soft text-ui">
            {can.addEmoji(me) ? t('emoji.manage.none') : t('emoji.manage.noneVisitor')}
          </p>
        )}
        {emoji && emoji.length > 0 && shown?.length === 0 && (
          <p className="text-soft text-ui">{t('emoji.noneFound')}</p>
        )}
        {shown && shown.length > 0 && <EmojiList emoji={shown} />}
      </div>
    </Dialog>
  )
}

type Asked = { act: 'alias'; emoji: CustomEmoji } | { act: 'remove'; emoji: CustomEmoji }

function EmojiList({ emoji }: { emoji: readonly CustomEmoji[] }) {
  const client = useQueryClient()
  const [asked, setAsked] = useState<Asked>()
  const [count, setCount] = useState(PAGE_SIZE)
  const { mutate: remove } = useMutation({
    mutationFn: (name: string) => call(removeEmoji, { params: { name } }),
    onError: (error) => showToast(logFailure(t('emoji.remove.failed'), error)),
    onSettled: () => refetchEmoji(client),
  })
  const close = () => setAsked(undefined)
  return (
    <>
      <ul aria-label={t('emoji.manage.title')} className="min-h-24 flex-1 overflow-y-auto overscroll-contain">
        {emoji.slice(0, count).map((it) => (
          <EmojiRow
            key={it.name}
            emoji={it}
            onAlias={() => setAsked({ act: 'alias', emoji: it })}
            onRemove={() => setAsked({ act: 'remove', emoji: it })}
            onRemoveAlias={remove}
          />
        ))}
        {count < emoji.length && <ScrollSentinel key={count} onNear={() => setCount(count + PAGE_SIZE)} />}
      </ul>
      {asked?.act === 'alias' && <AliasDialog name={asked.emoji.name} onClose={close} />}
      {asked?.act === 'remove' && (
        <ConfirmDialog
          title={t('emoji.remove.title')}
          action={t('emoji.remove.title')}
          onConfirm={() => {
            remove(asked.emoji.name)
            close()
          }}
          onClose={close}
        >
          {rich('emoji.remove.text', { name: <bdi>{`:${asked.emoji.name}:`}</bdi> })}
        </ConfirmDialog>
      )}
    </>
  )
}

interface RowProps {
  emoji: CustomEmoji
  onAlias: () => void
  onRemove: () => void
  onRemoveAlias: (alias: string) => void
}

function EmojiRow({ emoji, onAlias, onRemove, onRemoveAlias }: RowProps) {
  const me = useMe()
  const { name, aliases, by } = emoji
  const mayRemove = can.removeEmoji(me, by?.id)
  const written = `:${name}:`
  return (
    <li className="flex min-h-12 items-center gap-3 border-line border-t py-1.5 text-ui first:border-t-0">
      <span className="flex-none text-[1.375rem] leading-none">
        <EmojiPicture emoji={emoji} text={written} />
      </span>
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-0.5">
          <bdi className="min-w-0 font-[550] [overflow-wrap:anywhere]">{written}</bdi>
          {aliases.map((alias) => (
            <span key={alias} className="flex min-w-0 items-center text-soft">
              <bdi className="[overflow-wrap:anywhere]">{`:${alias}:`}</bdi>
              {can.addEmoji(me) && (
                <IconButton name={t('emoji.remove.named', { name: `:${alias}:` })} onClick={() => onRemoveAlias(alias)}>
                  <X size={12} />
                </IconButton>
              )}
            </span>
          ))}
        </p>
        {by && <p className="truncate text-faint text-meta">{t('emoji.manage.by', { name: by.name })}</p>}
      </div>
      {can.addEmoji(me) && aliases.length < limits.emoji.aliases && (
        <IconButton name={t('emoji.alias.title', { name: written })} onClick={onAlias}>
          <Plus size={16} />
        </IconButton>
      )}
      {mayRemove && (
        <IconButton name={t('emoji.remove.named', { name: written })} onClick={onRemove}>
          <Trash2 size={16} />
        </IconButton>
      )}
    </li>
  )
}
