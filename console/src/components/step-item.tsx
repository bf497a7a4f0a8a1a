import { List, Text, VisuallyHidden } from '@mantine/core'
import { IconCircle, IconCircleCheckFilled } from '@tabler/icons-react'
import type { ReactNode } from 'react'

interface StepItemProps {
  isDone: boolean
  /** The sign in words, such as "Done:". */
  sign?: string | false
  title: ReactNode
  children?: ReactNode
}

interface ChecklistProps {
  label: string
  items: { key: string; isMet: boolean; title: string; todo: ReactNode }[]
  /** The sign of an item in words. */
  sign: (isMet: boolean) => string
}

/** Conditions, with what there is to do for each open one. */
export const Checklist = ({ label, items, sign }: ChecklistProps) => (
  <List listStyleType="none" spacing="xs" aria-label={label}>
    {items.map(({ key, isMet, title, todo }) => (
      <StepItem key={key} isDone={isMet} sign={sign(isMet)} title={<Text size="sm">{title}</Text>}>
        {!isMet && todo}
      </StepItem>
    ))}
  </List>
)

export const StepItem = ({ isDone, sign, title, children }: StepItemProps) => {
  const Sign = isDone ? IconCircleCheckFilled : IconCircle
  return (
    <List.Item
      className="step-item"
      icon={<Sign size={20} className={isDone ? 'done' : 'open'} aria-hidden />}
    >
      {sign && <VisuallyHidden>{sign} </VisuallyHidden>}
      {title}
      {children && (
        <Text size="sm" c="dimmed" component="div">
          {children}
        </Text>
      )}
    </List.Item>
  )
}
