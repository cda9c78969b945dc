import { usePreference } from '../../../browser/preferences.ts'
import { type Keys, type Shortcut, shortcuts } from '../../../browser/shortcuts.ts'
import { composerKeys, laterKeys, listKeys, rowKeys } from '../../../features/messages/actions/message-shortcuts.ts'
import { type PlainTextId, t } from '../../../i18n/text.ts'
import { keyLabel } from '../../../ui/device/key-label.ts'
import { Dialog } from '../../../ui/dialog/dialog.tsx'

const descriptions: Record<Shortcut, PlainTextId> = {
  search: 'shell.shortcuts.search',
  searchHere: 'shell.shortcuts.searchHere',
  nextChannel: 'shell.shortcuts.nextChannel',
  previousChannel: 'shell.shortcuts.previousChannel',
  nextUnread: 'shell.shortcuts.nextUnread',
  previousUnread: 'shell.shortcuts.previousUnread',
  threads: 'shell.shortcuts.threads',
  later: 'shell.shortcuts.later',
  panel: 'shell.shortcuts.panel',
  nextRegion: 'shell.shortcuts.nextRegion',
  previousRegion: 'shell.shortcuts.previousRegion',
  readAll: 'shell.shortcuts.readAll',
  sheet: 'shell.shortcuts.title',
}
const shortcutNames = Object.keys(descriptions) as Shortcut[]

const groups: readonly { name: PlainTextId; all: readonly (Keys & { does: PlainTextId; isUndoSend?: true })[] }[] = [
  {
    name: 'shell.shortcuts.anywhere',
    all: shortcutNames.map((name) => ({ ...shortcuts[name], does: descriptions[name] })),
  },
  { name: 'shell.shortcuts.inConversation', all: listKeys },
  { name: 'shell.shortcuts.onMessage', all: rowKeys },
  { name: 'shell.shortcuts.inLater', all: laterKeys },
  { name: 'shell.shortcuts.whileWriting', all: composerKeys },
]

/** The list of all shortcuts. Load it lazily. */
export default function ShortcutSheet({ onClose }: { onClose: () => void }) {
  const canUndoSend = usePreference('undoSend') === 'on'
  return (
    <Dialog title={t('shell.shortcuts.title')} width="l" onClose={onClose}>
      {/* biome-ignore lint/a11y/useSemanticElements: not a part of a form */}
      <div
        role="group"
        aria-label={t('shell.shortcuts.keys')}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        tabIndex={0}
        className="gap-x-10 px-6 pb-6 max-wide:px-(--gutter) wide:columns-2 focus-visible:-outline-offset-2"
      >
        {groups.map(({ name, all }) => (
          <section key={name} aria-label={t(name)} className="break-inside-avoid pt-2 pb-3">
            <h3 className="mb-1 font-[600] text-faint text-micro uppercase tracking-[0.05em]">{t(name)}</h3>
            <dl>
              {all
                .filter(({ isUndoSend }) => !isUndoSend || canUndoSend)
                .map(({ keys, or, does }) => (
                  <div key={keys.join()} className="flex min-h-8 items-center justify-between gap-4 text-ui">
                    <dt className="min-w-0 text-soft">{t(does)}</dt>
                    <dd className="flex flex-none gap-1">
                      <KeyCaps keys={keys} />
                      {or && (
                        <>
                          <span className="px-1 text-faint">{t('shell.shortcuts.or')}</span>
                          <KeyCaps keys={or} />
                        </>
                      )}
                    </dd>
                  </div>
                ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  )
}

const KeyCaps = ({ keys }: Pick<Keys, 'keys'>) => keys.map((key) => <kbd key={key}>{keyLabel(key)}</kbd>)
