import type { Message } from '#contract/messages'
import { t } from '../../../i18n/text.ts'
import { shownName } from '../../../people/shown-name.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import { plainText } from '../../../ui/format/plain-text.ts'

/** One line of a thread's parent, shown while the parent is scrolled out of view. A click scrolls back to it. */
export function ParentLine({ parent, onClick }: { parent: Message; onClick: () => void }) {
  const { user, content, files, deletedAt } = parent
  const name = shownName(user.name)
  const text = deletedAt
    ? t('messages.row.deleted')
    : plainText(content) || files.map((file) => file.name).join(t('ui.listComma'))
  return (
    <button
      type="button"
      className="absolute inset-x-0 top-0 z-1 flex h-9 animate-appear items-center gap-2 border-line border-b bg-paper px-(--gutter) text-start text-ui transition-colors hover:bg-sunk focus-visible:-outline-offset-2 pointer-coarse:h-11"
      onClick={onClick}
    >
      <span className="sr-only">{t('messages.thread.showFirst')} </span>
      <Avatar id={user.id} name={name} color={user.color} size="s" />
      <bdi className="max-w-[40%] flex-none truncate font-[620]">{name}</bdi>{' '}
      <bdi className="min-w-0 flex-1 truncate text-soft">{text}</bdi>
    </button>
  )
}
