import {
  Body,
  CanActivate,
  Controller,
  createParamDecorator,
  ExecutionContext,
  ForbiddenException,
  HttpCode,
  Injectable,
  Post,
  Req,
  SetMetadata,
  UnauthorizedException,
} from '@nestjs/common'
import { Reflector } from '@nestjs/core'
import { JwtService } from '@nestjs/jwt'
import { InjectRepository } from '@nestjs/typeorm'
import bcrypt from 'bcrypt'
import type { Request } from 'express'
import { DataSource, Repository } from 'typeorm'
import { LoginDto, RefreshDto } from './dto.js'
import { AuditLog, RefreshToken, User } from './entities.js'

export interface Payload {
  sub: number
  tid: string
}

type AuthenticatedRequest = Request & { user: Payload }

export const Public = () => SetMetadata('public', true)
export const RequirePermission = (code: string) => SetMetadata('permission', code)
export const CurrentUser = createParamDecorator(
  (_: unknown, context: ExecutionContext) => context.switchToHttp().getRequest<AuthenticatedRequest>().user,
)

@Injectable()
export class AuthGuard implements CanActivate {
  constructor(
    private readonly jwt: JwtService,
    private readonly reflector: Reflector,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const targets = [context.getHandler(), context.getClass()]
    if (this.reflector.getAllAndOverride<boolean>('public', targets)) return true
    const request = context.switchToHttp().getRequest<AuthenticatedRequest>()
    const [type, token] = request.headers.authorization?.split(' ') ?? []
    if (type !== 'Bearer' || !token) throw new UnauthorizedException()
    try {
      request.user = await this.jwt.verifyAsync<Payload>(token)
    } catch {
      throw new UnauthorizedException()
    }
    return true
  }
}

@Injectable()
export class PermissionsGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    @InjectRepository(User) private readonly users: Repository<User>,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const targets = [context.getHandler(), context.getClass()]
    const code = this.reflector.getAllAndOverride<string | undefined>('permission', targets)
    if (!code) return true
    const { user } = context.switchToHttp().getRequest<AuthenticatedRequest>()
    const found = await this.users.findOne({
      where: { id: user.sub, tenantId: user.tid, status: 1 },
      relations: { roles: { permissions: true } },
    })
    if (!found) throw new UnauthorizedException()
    const isAllowed = found.roles.some((role) => role.permissions.some((one) => one.code === code))
    if (!isAllowed) throw new ForbiddenException()
    return true
  }
}

@Injectable()
export class AuthService {
  constructor(
    private readonly jwt: JwtService,
    private readonly dataSource: DataSource,
    @InjectRepository(User) private readonly users: Repository<User>,
    @InjectRepository(RefreshToken) private readonly tokens: Repository<RefreshToken>,
    @InjectRepository(AuditLog) private readonly audit: Repository<AuditLog>,
  ) {}

  async login({ email, password }: LoginDto, ip: string, userAgent: string) {
    const user = await this.users.findOne({ where: { email } })
    if (!user || user.status !== 1 || !(await bcrypt.compare(password, user.passwordHash))) {
      throw new UnauthorizedException()
    }
    await this.users.update(user.id, { lastLogin: new Date() })
    await this.audit.save({
      tenantId: user.tenantId,
      userId: user.id,
      action: 'auth.login',
      resource: 'auth',
      resourceId: String(user.id),
      detail: {},
      ip,
      userAgent,
    })
    return this.issue(user, this.tokens)
  }

  async refresh(refreshToken: string) {
    let payload: Payload & { jti: string }
    try {
      payload = await this.jwt.verifyAsync(refreshToken)
    } catch {
      throw new UnauthorizedException()
    }
    return this.dataSource.transaction(async (manager) => {
      const tokens = manager.getRepository(RefreshToken)
      const stored = await tokens.findOne({
        where: { id: payload.jti, userId: payload.sub },
        lock: { mode: 'pessimistic_write' },
      })
      if (!stored || stored.revoked || stored.expiresAt < new Date()) throw new UnauthorizedException()
      const user = await manager.getRepository(User).findOneBy({ id: payload.sub, status: 1 })
      if (!user) throw new UnauthorizedException()
      await tokens.update(stored.id, { revoked: true })
      return this.issue(user, tokens)
    })
  }

  private async issue(user: User, tokens: Repository<RefreshToken>) {
    const stored = await tokens.save({
      userId: user.id,
      expiresAt: new Date(Date.now() + 7 * 24 * 60 * 60 * 1000),
    })
    const payload = { sub: user.id, tid: user.tenantId }
    return {
      access_token: await this.jwt.signAsync(payload, { expiresIn: '2h' }),
      refresh_token: await this.jwt.signAsync(payload, { expiresIn: '7d', jwtid: stored.id }),
      expires_in: 7200,
    }
  }
}

@Controller('auth')
@Public()
export class AuthController {
  constructor(private readonly auth: AuthService) {}

  @Post('login')
  @HttpCode(200)
  login(@Body() body: LoginDto, @Req() request: Request) {
    return this.auth.login(body, request.ip ?? '', request.headers['user-agent'] ?? '')
  }

  @Post('refresh')
  @HttpCode(200)
  refresh(@Body() body: RefreshDto) {
    return this.auth.refresh(body.refresh_token)
  }
}
