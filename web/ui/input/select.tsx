import { Select as Base } from '@base-ui/react/select'
import { Check, ChevronDown, type LucideIcon } from 'lucide-react'
import { useId } from 'react'

interface SelectOption {
  value: string
  name: string
  Icon?: LucideIcon
  /** The language of its name, if it differs from the page's. */
  lang?: string
}

interface Props {
  label: string
  hint?: string
  options: readonly SelectOption[]
  value: string
  onChange: (value: string) => void
  disabled?: boolean
}

/** A labelled choice of one of several options. Load it lazily. */
export function Select({ label, hint, options, value, onChange, disabled = false }: Props) {
  const id = useId()
  const chosen = options.find((option) => option.value === value)
  return (
    <div>
      <span id={`${id}-label`} className="mb-1.5 block font-[550] text-ui">
        {label}
      </span>
      <Base.Root
        value={value}
        onValueChange={(next) => next !== null && onChange(next)}
        items={options.map((option) => ({ value: option.value, label: option.name }))}
        disabled={disabled}
      >
        <Base.Trigger
          aria-labelledby={`${id}-label`}
          aria-describedby={hint ? `${id}-hint` : undefined}
          className="field-edge flex h-10 w-full items-center gap-2 rounded-m bg-paper px-3 text-start text-ui outline-none focus-visible:border-pine disabled:opacity-50 pointer-coarse:h-11"
        >
          {chosen?.Icon && <chosen.Icon size={16} className="text-soft" />}
          <Base.Value lang={chosen?.lang} className="min-w-0 flex-1 truncate" />
          <Base.Icon className="flex-none text-faint">
            <ChevronDown size={16} />
          </Base.Icon>
        </Base.Trigger>
        {/* All content must be in a landmark. */}
        <Base.Portal role="region" aria-label={label}>
          <Base.Positioner
            alignItemWithTrigger={false}
            sideOffset={4}
            collisionPadding={8}
            className="z-40 w-(--anchor-width) outline-none"
          >
            <Base.Popup className="max-h-[min(var(--available-height),20rem)] animate-appear overflow-y-auto overscroll-contain rounded-m border border-line bg-raised p-1 text-ui shadow-float outline-none">
              <Base.List>
                {options.map(({ value, name, Icon, lang }) => (
                  <Base.Item
                    key={value}
                    value={value}
                    className="flex h-9 cursor-default items-center gap-2.5 rounded-s px-2 outline-none data-highlighted:bg-press pointer-coarse:h-11"
                  >
                    {Icon && <Icon size={16} className="text-soft" />}
                    <Base.ItemText lang={lang} className="min-w-0 flex-1 truncate">
                      {name}
                    </Base.ItemText>
                    <Base.ItemIndicator className="flex-none text-pine">
                      <Check size={16} />
                    </Base.ItemIndicator>
                  </Base.Item>
                ))}
              </Base.List>
            </Base.Popup>
          </Base.Positioner>
        </Base.Portal>
      </Base.Root>
      {hint && (
        <p id={`${id}-hint`} className="mt-1.5 text-pretty text-faint text-meta">
          {hint}
        </p>
      )}
    </div>
  )
}
