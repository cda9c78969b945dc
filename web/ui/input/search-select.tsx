import { Combobox } from '@base-ui/react/combobox'
import { Check, ChevronDown } from 'lucide-react'
import { useId } from 'react'
import { t } from '../../i18n/text.ts'

interface Option {
  value: string
  name: string
}

interface Props {
  label: string
  /** Any number of them: only the first matches are rendered. */
  options: readonly Option[]
  /** The chosen value; undefined for none. */
  value: string | undefined
  onChange: (value: string) => void
}

const MAX_SHOWN = 100

/** A labelled choice of one of very many options, which are searched by their names. Load it lazily. */
export function SearchSelect({ label, options, value, onChange }: Props) {
  const id = useId()
  const chosen = options.find((option) => option.value === value) ?? null
  return (
    <div>
      <label htmlFor={id} className="mb-1.5 block font-[550] text-ui">
        {label}
      </label>
      <Combobox.Root
        items={options}
        limit={MAX_SHOWN}
        itemToStringLabel={({ name }: Option) => name}
        isItemEqualToValue={(a: Option, b: Option) => a.value === b.value}
        value={chosen}
        onValueChange={(next) => next && onChange(next.value)}
        autoHighlight
      >
        <Combobox.InputGroup className="field-edge flex h-10 w-full items-center gap-2 rounded-m bg-paper px-3 text-ui pointer-coarse:h-11">
          <Combobox.Input
            id={id}
            placeholder={t('ui.choose')}
            dir="auto"
            autoComplete="off"
            // Shows the whole list again, not only the chosen option.
            onFocus={({ target }) => target.select()}
            className="h-full min-w-0 flex-1 truncate bg-transparent outline-none"
          />
          <ChevronDown size={16} className="flex-none text-faint" />
        </Combobox.InputGroup>
        {/* All content must be in a landmark. */}
        <Combobox.Portal role="region" aria-label={label}>
          <Combobox.Positioner sideOffset={4} collisionPadding={8} className="z-40 w-(--anchor-width) outline-none">
            <Combobox.Popup className="max-h-[min(var(--available-height),20rem)] animate-appear overflow-y-auto overscroll-contain rounded-m border border-line bg-raised p-1 text-ui shadow-float outline-none">
              <Combobox.Empty className="text-center text-soft [&:not(:empty)]:p-3">{t('search.none')}</Combobox.Empty>
              <Combobox.List className="outline-none">
                {(option: Option) => (
                  <Combobox.Item
                    key={option.value}
                    value={option}
                    className="flex h-9 cursor-default items-center gap-2.5 rounded-s px-2 outline-none data-highlighted:bg-press pointer-coarse:h-11"
                  >
                    <bdi className="min-w-0 flex-1 truncate">{option.name}</bdi>
                    <Combobox.ItemIndicator className="flex-none text-pine">
                      <Check size={16} />
                    </Combobox.ItemIndicator>
                  </Combobox.Item>
                )}
              </Combobox.List>
            </Combobox.Popup>
          </Combobox.Positioner>
        </Combobox.Portal>
      </Combobox.Root>
    </div>
  )
}
