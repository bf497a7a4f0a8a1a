import { useId } from 'react'

interface ChoiceProps {
  label: string
  choices: { value: string; label: string; lang?: string }[]
  value: string
  onChange: (value: string) => void
}

export const Choice = ({ label, choices, value, onChange }: ChoiceProps) => {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select id={id} value={value} onChange={({ target }) => onChange(target.value)}>
        {choices.map((one) => (
          <option key={one.value} value={one.value} lang={one.lang}>
            {one.label}
          </option>
        ))}
      </select>
    </div>
  )
}
