# A thread for each message. A message asks for answers; the log gets a sign when all are printed.
require 'json'

log = File.open(ARGV[0], 'a')
log.sync = true
$stdout.sync = true
warn "pid #{Process.pid}"
now = -> { Process.clock_gettime(Process::CLOCK_MONOTONIC) }

$stdin.each_line do |line|
  Thread.new(JSON.parse(line)['message']) do |message|
    message['work'].each do |ms|
      limit = now.call + ms / 1000.0
      nil while now.call < limit
      $stdout.write("#{JSON.generate({ to: 'peer', message: ms })}\n")
    end
    log.write('-')
  end
end
