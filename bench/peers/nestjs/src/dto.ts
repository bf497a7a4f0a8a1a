import { Type } from 'class-transformer'
import {
  IsDefined,
  IsEmail,
  IsInt,
  IsJWT,
  IsOptional,
  IsString,
  Length,
  Matches,
  Max,
  MaxLength,
  Min,
} from 'class-validator'

export class LoginDto {
  @IsEmail() email: string
  @IsString() password: string
}

export class RefreshDto {
  @IsJWT() refresh_token: string
}

export class CreateUserDto {
  @IsEmail() @MaxLength(254) email: string
  @Length(3, 64) @Matches(/^[A-Za-z0-9._@+-]+$/) username: string
  @Length(8, 128) password: string
  @IsOptional() @MaxLength(64) nickname?: string
}

export class PageDto {
  @IsOptional() @Type(() => Number) @IsInt() @Min(1) page: number = 1
  @IsOptional() @Type(() => Number) @IsInt() @Min(1) @Max(200) page_size: number = 20
}

export class ListUsersDto extends PageDto {
  @IsOptional() @IsString() search?: string
}

export class AssignRoleDto {
  @IsInt() @Min(1) role_id: number
}

export class UpdateSettingDto {
  @IsDefined() value: unknown
}
