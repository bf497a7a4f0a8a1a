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
