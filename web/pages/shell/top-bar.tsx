import { SearchButton } from '../../features/search/search-button.tsx'
import { StatusButton } from '../../features/users/status-button.tsx'
import { t } from '../../i18n/text.ts'
import { useMe } from '../../me.tsx'
import { Avatar } from '../../ui/avatar.tsx'
import { askForMenu } from './ask-for-menu.ts'

/** The bar above every signed-in page on wide screens. */
export function TopBar({ onSearch }: { onSearch: () => void }) {
  const me = useMe()
  return (
    <header
      data-region=""
      className="hidden grid-cols-[1fr_minmax(0,560px)_1fr] items-center gap-4 border-line border-b bg-sunk px-4 wide:grid"
    >
      <span className="col-start-2">
        <SearchButton onClick={onSearch} />
      </span>
      <div className="flex items-center justify-end gap-2">
        <StatusButton />
        <button
          type="button"
          data-menu="me"
          aria-haspopup="menu"
          onClick={askForMenu}
          title={`${me.name} (@${me.username})`}
          className="rounded-m"
        >
          <Avatar id={me.id} name={me.name} color={me.color} size="m" />
          <span className="sr-only">{t('shell.menu.account')}</span>
        </button>
      </div>
    </header>
  )
}
