import { Text, type TextProps } from '@mantine/core'
import { useFormat } from '../format.ts'

/** Shows how long ago a timestamp of the API is; its title shows the moment itself. */
export const Ago = ({ at, ...props }: TextProps & { at: string }) => {
  const format = useFormat()
  return (
    <Text size="sm" title={format.moment(at)} className="unbroken" {...props}>
      {format.ago(at)}
    </Text>
  )
}
