import { type ReactNode, useId } from 'react'

interface Props<T extends string> {
  legend: string
  /** Whether only screen readers get the legend, below a heading with the same text. */
  isLegendHidden?: boolean
  options: readonly { value: T; name: string; hint?: string /** Below the option. */; more?: ReactNode }[]
  value: T | undefined
  onChoose: (value: T) => void
}

/** A few options one below the other, each explained. */
export function RadioCards<T extends string>({ legend, isLegendHidden = false, options, value, onChoose }: Props<T>) {
  const group = useId()
  return (
    <fieldset className="grid gap-2">
      <legend className={isLegendHidden ? 'sr-only' : 'mb-1.5 font-[550] text-ui'}>{legend}</legend>
      {options.map(({ value: option, name, hint, more }) => (
        <div key={option}>
          <label className="flex cursor-pointer items-start gap-3 rounded-m border border-line-control px-3 py-2.5 has-checked:border-pine has-checked:bg-pine-wash has-focus-visible:outline-2 has-focus-visible:outline-pine has-focus-visible:outline-offset-1 hover:bg-hover">
            <input
              type="radio"
              name={group}
              className="mt-0.5 size-4 flex-none accent-(--pine)"
              checked={option === value}
              onChange={() => onChoose(option)}
            />
            <span className="min-w-0 flex-1">
              <span className="block font-[550] text-ui">{name}</span>
              {hint && <span className="block text-pretty text-meta text-soft">{hint}</span>}
            </span>
          </label>
          {more}
        </div>
      ))}
    </fieldset>
  )
}
