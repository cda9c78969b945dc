import { useState } from 'react'

interface Props<Value extends string> {
  /** The name of the choice, for screen readers. */
  legend: string
  /** Unique on the page. */
  name: string
  options: readonly { value: Value; label: string }[]
  value: Value
  onChange: (value: Value) => void
}

/**
 * A choice of a few words in one line. A new choice shows at once, even if `value` follows later, as after a change of the
 * URL; until then the browser would ignore a second choice.
 */
export function Segments<Value extends string>({ legend, name, options, value: current, onChange }: Props<Value>) {
  const [chosen, setChosen] = useState(current)
  const [followed, setFollowed] = useState(current)
  if (followed !== current) {
    setFollowed(current)
    setChosen(current)
  }

  function choose(value: Value) {
    setChosen(value)
    onChange(value)
  }

  return (
    <fieldset className="flex flex-wrap wide:gap-1">
      <legend className="sr-only">{legend}</legend>
      {options.map(({ value, label }) => (
        <label
          key={value}
          className="flex h-8 items-center rounded-s border border-transparent px-2 wide:px-2.5 text-soft text-ui tabular-nums transition-colors hover:bg-hover has-checked:border-pine has-checked:bg-pine-wash has-checked:font-[550] has-checked:text-ink has-focus-visible:outline-2 has-focus-visible:outline-pine has-focus-visible:outline-offset-1 pointer-coarse:h-11 pointer-coarse:min-w-11 pointer-coarse:justify-center"
        >
          <input
            type="radio"
            name={name}
            className="sr-only"
            checked={value === chosen}
            onChange={() => choose(value)}
          />
          {label}
        </label>
      ))}
    </fieldset>
  )
}
