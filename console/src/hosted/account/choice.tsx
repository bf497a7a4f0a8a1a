import { Labelled } from '../kit.tsx'

interface ChoiceProps {
  name?: string
  label: string
  hint?: string | undefined
  choices: { value: string; label: string; lang?: string }[]
  value: string
  onChange: (value: string) => void
}

export const Choice = ({ name = '', label, hint, choices, value, onChange }: ChoiceProps) => (
  <Labelled {...{ name, label, hint }}>
    {(tied) => (
      <select {...tied} value={value} onChange={({ target }) => onChange(target.value)}>
        {choices.map((one) => (
          <option key={one.value} value={one.value} lang={one.lang}>
            {one.label}
          </option>
        ))}
      </select>
    )}
  </Labelled>
)
