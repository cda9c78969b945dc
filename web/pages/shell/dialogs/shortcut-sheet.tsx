import { type Keys, keyLabel, type Shortcut, shortcuts } from '../../../browser/shortcuts.ts'
import { composerKeys, listKeys, rowKeys } from '../../../features/messages/actions/message-shortcuts.ts'
import { Dialog } from '../../../ui/dialog/dialog.tsx'

const descriptions: Record<Shortcut, string> = {
  search: 'Search and go to',
  searchHere: 'Search this conversation',
  nextChannel: 'Next conversation',
  previousChannel: 'Previous conversation',
  nextUnread: 'Next unread conversation',
  previousUnread: 'Previous unread conversation',
  threads: 'Threads',
  panel: 'Toggle thread panel',
  nextRegion: 'Next section',
  previousRegion: 'Previous section',
  readAll: 'Mark everything as read',
  sheet: 'Keyboard shortcuts',
}
const shortcutNames = Object.keys(descriptions) as Shortcut[]

const groups: readonly { name: string; all: readonly (Keys & { does: string })[] }[] = [
  { name: 'Anywhere', all: shortcutNames.map((name) => ({ ...shortcuts[name], does: descriptions[name] })) },
  { name: 'In a conversation', all: listKeys },
  { name: 'On a message', all: rowKeys },
  { name: 'While writing', all: composerKeys },
]

/** The list of all shortcuts. Load it lazily. */
export default function ShortcutSheet({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Keyboard shortcuts" width="l" onClose={onClose}>
      {/* biome-ignore lint/a11y/useSemanticElements: not a part of a form */}
      <div
        role="group"
        aria-label="Keys"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        tabIndex={0}
        className="gap-x-10 px-6 pb-6 max-wide:px-(--gutter) wide:columns-2 focus-visible:-outline-offset-2"
      >
        {groups.map(({ name, all }) => (
          <section key={name} aria-label={name} className="break-inside-avoid pt-2 pb-3">
            <h3 className="mb-1 font-[600] text-faint text-micro uppercase tracking-[0.05em]">{name}</h3>
            <dl>
              {all.map(({ keys, or, does }) => (
                <div key={keys.join()} className="flex min-h-8 items-center justify-between gap-4 text-ui">
                  <dt className="min-w-0 text-soft">{does}</dt>
                  <dd className="flex flex-none gap-1">
                    <KeyCaps keys={keys} />
                    {or && (
                      <>
                        <span className="px-1 text-faint">or</span>
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
