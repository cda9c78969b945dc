import type { LucideIcon } from 'lucide-react'

interface Props<T extends string> {
  legend: string
  /** Unique on the page. */
  name: string
  options: Readonly<Record<T, { name: string; Icon?: LucideIcon }>>
  value: T
  onChoose: (value: T) => void
}

/** A few options side by side. */
export function RadioGroup<T extends string>({ legend, name: group, options, value, onChoose }: Props<T>) {
  return (
    <fieldset>
      <legend className="mb-1.5 font-[550] text-ui">{legend}</legend>
      <div className="grid grid-cols-3 gap-2">
        {(Object.keys(options) as T[]).map((option) => {
          const { name, Icon } = options[option]
          return (
            <label
              key={option}
              className="relative flex h-10 items-center justify-center gap-2 rounded-m border border-line-control text-soft text-ui has-checked:border-pine has-checked:bg-pine-wash has-checked:font-[550] has-checked:text-ink has-focus-visible:outline-2 has-focus-visible:outline-pine has-focus-visible:outline-offset-1 hover:bg-hover pointer-coarse:h-11"
            >
              <input
                type="radio"
                name={group}
                className="absolute inset-0 m-0 appearance-none outline-none"
                checked={option === value}
                onChange={() => onChoose(option)}
              />
              {Icon && <Icon size={16} />}
              {name}
            </label>
          )
        })}
      </div>
    </fieldset>
  )
}
